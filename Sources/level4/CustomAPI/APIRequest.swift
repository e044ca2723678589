public import Access
import Foundation
public import HTTPModel
public import JSONText
public import TableOperations
public import ZumoProtocol

/// A request to an API.
public struct APIRequest: Sendable {
    /// The method; HEAD if a client asks only for the head of a GET.
    public let method: HTTPMethod
    /// The segments of the path after the API's name, decoded.
    public let path: [String]
    /// The members of the query in their order, decoded.
    public let query: [QueryMember]
    /// The header fields.
    public let fields: HTTPFields
    /// The body as it came.
    public let body: [UInt8]
    /// The caller.
    public let caller: Principal
    /// The protocol that the client speaks.
    public let generation: Generation
    /// The tables, with the rows that the caller may see.
    public let tables: ServerTables
    /// What the server's own code sees of it.
    package let inHand: CurrentRequest

    /// The value of the first query member with that name, in any case; nil if there is none.
    public func parameter(_ name: String) -> String? {
        let folded = name.lowercased()
        return query.first { $0.name.lowercased() == folded }?.value
    }

    /// The body as JSON.
    /// - Throws: a refusal with 400 if it isn't JSON.
    public func json() throws(Refusal) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(body, loneSurrogates: .replaced)
        } catch {
            throw .malformedBody("The body is not valid JSON: \(error.reason.words) at byte \(error.offset).")
        }
    }

    /// The body as a value of a type of your own.
    /// - Throws: a refusal with 400 if it has another form.
    public func decoded<Body: Decodable>(as type: Body.Type) throws(Refusal) -> Body {
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw .malformedBody(Self.words(error))
        } catch {
            throw .malformedBody("The body is not valid JSON.")
        }
    }

    private static func words(_ error: DecodingError) -> String {
        switch error {
        case .keyNotFound(let key, _): "The body has no member '\(key.stringValue)'."
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            "The body's \(member(context)) is not of the right type."
        case .dataCorrupted(let context):
            context.codingPath.isEmpty ? "The body is not valid JSON." : "The body's \(member(context)) is malformed."
        @unknown default: "The body has not the right form."
        }
    }

    private static func member(_ context: DecodingError.Context) -> String {
        context.codingPath.isEmpty
            ? "value" : "member '\(context.codingPath.map(\.stringValue).joined(separator: "."))'"
    }
}

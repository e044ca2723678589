public import Access
import Foundation
public import HTTPModel
public import JSONText
public import TableOperations
public import ZumoProtocol

/// A request to an API.
public struct APIRequest: Sendable {
    /// The method; HEAD if the client wants only the head of a GET response.
    public let method: HTTPMethod
    /// The decoded segments of the path after the API's name.
    public let path: [String]
    /// The decoded members of the query, in order.
    public let query: [QueryMember]
    /// The header fields.
    public let fields: HTTPFields
    /// The body as it was received.
    public let body: [UInt8]
    /// The caller.
    public let caller: Principal
    /// The protocol that the client speaks.
    public let generation: Generation
    /// The tables, limited to the rows that the caller may see.
    public let tables: ServerTables
    /// The request as the server's own code sees it.
    package let currentRequest: CurrentRequest

    /// Returns the value of the first query member of that name, in any case; nil if there is none.
    public func parameter(_ name: String) -> String? {
        let folded = name.lowercased()
        return query.first { $0.name.lowercased() == folded }?.value
    }

    /// Returns the body parsed as JSON.
    /// - Throws: a refusal with 400 if it isn't JSON.
    public func json() throws(Refusal) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(body, loneSurrogates: .replaced)
        } catch {
            throw .malformedBody("The body is not valid JSON: \(error.reason.words) at byte \(error.offset).")
        }
    }

    /// Returns the body decoded as a value of your own type.
    /// - Throws: a refusal with 400 if it doesn't decode.
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

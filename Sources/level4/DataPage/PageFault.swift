import HTTPModel
import Tables
import ZumoProtocol

/// Why the page refuses a request.
enum PageFault: Error, Sendable {
    case unknownPath
    case method(HTTPMethod, String)
    /// There is no session, or it has ended.
    case signedOut
    /// The request doesn't come from the page itself.
    case foreign
    case body(String)
    case unknownTable
    case store(TableError)
    /// Another part of the server has already determined the response.
    case other(ErrorResponse)
}

extension PageFault {
    /// Refuses requests with any other method.
    static func only(_ request: HTTPRequest, _ methods: [HTTPMethod] = [.get, .head]) throws(PageFault) {
        guard methods.contains(request.method) else {
            throw .method(request.method, methods.map(\.name).joined(separator: ", "))
        }
    }
}

extension ErrorResponse {
    /// The response for the page's script.
    init(_ fault: PageFault) {
        switch fault {
        case .unknownPath: self.init(.notFound, .pathUnknown, "The data page has nothing at this path.")
        case .method(let method, let allowed):
            self.init(
                .methodNotAllowed, .methodNotAllowed, "This address doesn't take \(ErrorBody.excerpt(method.name)).",
                allow: allowed)
        case .signedOut: self.init(.unauthorized, .loginRequired, "You are not signed in, or no longer.")
        case .foreign:
            self.init(.forbidden, .originRefused, "The request doesn't come from the data page; reload it.")
        case .body(let what): self.init(.bodyMalformed, what)
        case .unknownTable: self.init(.notFound, .tableUnknown, "There is no such table.")
        case .store(let error): self.init(outage: error)
        case .other(let response): self = response
        }
    }
}

public import HTTPModel

/// Something that answers requests at paths of its own. A new one is a file with this, and a line in the server's list of routes.
public protocol Route: Sendable {
    /// What its requests are counted as.
    var group: RouteGroup { get }
    /// The paths, without a slash, that monitoring requests often: they are exempt from limits, and the log is quiet
    /// about them.
    var probes: [String] { get }
    /// Answers a request.
    /// - Returns: nil if the path belongs to another route. Errors are answers.
    func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse?
    /// Adds what it answers to the document of all routes.
    func describe(in document: inout OpenAPIDocument)
}

extension Route {
    /// What has no name of its own.
    public var group: RouteGroup { .other }
    /// None.
    public var probes: [String] { [] }
}

/// The parts of the server that requests are counted by. The raw value is a place among the counters.
public enum RouteGroup: Int, Sendable, CaseIterable {
    case tables, api, auth, push, other
    /// What the server refused before it was a request.
    case unread
}

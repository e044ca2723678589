public import HTTPModel

/// Something that answers requests at certain paths. A new one needs a file and a line in the server's list of routes.
public protocol Route: Sendable {
    /// The group in which its requests are counted.
    var group: RouteGroup { get }
    /// The paths, without a slash, that monitoring polls often: they are exempt from limits and from most logging.
    var probes: [String] { get }
    /// Answers a request.
    /// - Returns: nil if the path belongs to another route. Errors are answers too.
    func answer(_ request: HTTPRequest, at target: RequestTarget) async -> RouteResponse?
    /// Adds its operations to the document of all routes.
    func describe(in document: inout OpenAPIDocument)
}

extension Route {
    /// The default group.
    public var group: RouteGroup { .other }
    /// No probes.
    public var probes: [String] { [] }
}

/// The parts of the server by which requests are counted. The raw value is an index into the counters.
public enum RouteGroup: Int, Sendable, CaseIterable {
    case tables, api, auth, push, other
    /// Refused before a request could be read.
    case unread
}

import HTTPModel

/// `/push/installations/ID`: clients register for push messages and must not fail at it. Nothing is sent or kept (v2).
enum PushInstallations {
    /// - Returns: nil where the path or the method is none of these.
    static func respond(to request: HTTPRequest, target: RequestTarget) -> HTTPResponse? {
        guard target.segments.count == 3, target.segments[1].lowercased() == "installations" else { return nil }
        guard request.method == .put || request.method == .delete else { return nil }
        return HTTPResponse(.noContent)
    }
}

import ByteText
public import HTTPModel

/// Which web pages of other origins may call the server (CORS), and the fields that tell browsers so.
///
/// There is no Access-Control-Allow-Credentials: tokens and keys are sent in header fields, and no cookie grants
/// access. There is nothing about private networks either: browsers now ask their user, not the server.
public struct CrossOriginPolicy: Sendable {
    private let patterns: [OriginPattern]
    private let allowsAll: Bool
    private let maxAge: Int

    /// What pages may read of a response besides its body. They may always read Last-Modified and Content-Type.
    private static let exposedFields = "Link, ETag, Location, Retry-After, X-Request-Id"
    private static let methods = "GET, PUT, PATCH, POST, DELETE, OPTIONS"
    /// The maximum size in bytes of a list of fields that a page asks to send.
    private static let requestedFieldsLimit = 500

    /// Creates a policy.
    /// - Parameters:
    ///   - patterns: the origins; without any, pages of other origins get no CORS fields.
    ///   - allowsAll: whether every page may call the server, though only those of the patterns may receive tokens.
    ///   - maxAge: how many seconds a browser may cache the response to its preflight.
    public init(_ patterns: [OriginPattern], andAll allowsAll: Bool = false, maxAge: Int) {
        self.patterns = patterns
        self.allowsAll = allowsAll
        self.maxAge = maxAge
    }

    /// Returns whether a page may receive a token. That every page may call the server is not enough, nor is a pattern
    /// with only a host enough for a page loaded by plain http from another machine.
    public func allowsTokens(to origin: String) -> Bool {
        OriginPattern.any(of: patterns, mayTell: origin)
    }

    /// Answers a browser's preflight: the same for every path, because the request itself should report what is wrong
    /// with it, in a response that the page can read.
    /// - Returns: nil if the request isn't a preflight, or comes from a page that is not allowed.
    public func preflight(_ request: HTTPRequest, in generation: Generation) -> HTTPResponse? {
        guard request.method == .options, request.fields.contains("Access-Control-Request-Method"),
            let origin = request.fields["Origin"], allows(origin)
        else { return nil }
        return HTTPResponse(generation.preflightStatus)
    }

    /// Adds the CORS fields to a response.
    /// - Parameters:
    ///   - fields: the request's fields.
    ///   - isOptions: whether the response answers OPTIONS.
    public func sign(_ response: inout HTTPResponse, to fields: HTTPFields, isOptions: Bool) {
        let origin = fields["Origin"]
        if allowsAll {
            // All callers get the same, so that a cache may serve it to everyone.
            allow("*", &response)
        } else {
            guard let origin, allows(origin) else { return }
            allow(origin, &response)
        }
        if origin != nil { answerQuestions(in: fields, isOptions: isOptions, &response) }
    }

    /// The request fields on which every answer depends, for caches: even an answer that no page asked for, which might
    /// be served to pages, and one that a proxy might compress.
    public var variance: String { allowsAll || patterns.isEmpty ? "Accept-Encoding" : "Origin, Accept-Encoding" }

    private func allows(_ origin: String) -> Bool {
        allowsAll || OriginPattern.any(of: patterns, match: origin)
    }

    private func allow(_ origin: String, _ response: inout HTTPResponse) {
        // A program's own API may have set it already; two values would be invalid.
        if !response.fields.contains("Access-Control-Allow-Origin") {
            response.fields.append("Access-Control-Allow-Origin", origin)
        }
        response.fields.append("Access-Control-Expose-Headers", Self.exposedFields)
    }

    private func answerQuestions(in fields: HTTPFields, isOptions: Bool, _ response: inout HTTPResponse) {
        if let requested = fields["Access-Control-Request-Headers"] {
            let allowed = Self.isFieldList(requested) ? requested : KnownFields.among(requested)
            if !allowed.isEmpty { response.fields.append("Access-Control-Allow-Headers", allowed) }
        }
        if isOptions {
            response.fields.append("Access-Control-Allow-Methods", Self.methods)
            response.fields.append("Access-Control-Max-Age", String(maxAge))
        }
    }

    /// Returns whether the Node servers would accept the text: letters, digits, `-`, `,` and blanks.
    private static func isFieldList(_ text: String) -> Bool {
        (1...requestedFieldsLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-, \t".utf8.contains($0) }
    }
}

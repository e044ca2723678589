import ByteText
public import HTTPModel

/// Which web pages of other origins may call the server (CORS), and the fields that tell browsers so.
///
/// There is no Access-Control-Allow-Credentials: tokens and keys are sent in header fields, and no cookie opens
/// anything. There is nothing about private networks either: browsers now ask their user, not the server.
public struct CrossOriginPolicy: Sendable {
    private let patterns: [OriginPattern]
    private let allowsAll: Bool
    private let maxAge: Int

    /// What pages may read of a response besides its body. They may always read Last-Modified and Content-Type.
    private static let exposedFields = "Link, ETag, Location, Retry-After, X-Request-Id"
    private static let methods = "GET, PUT, PATCH, POST, DELETE, OPTIONS"
    /// The longest list of fields that a page may ask to send.
    private static let requestedFieldsLimit = 500

    /// Makes a policy.
    /// - Parameters:
    ///   - patterns: the origins; without any, pages of other origins are told nothing.
    ///   - allowsAll: whether every page may call the server, while only those of the patterns may receive tokens.
    ///   - maxAge: for how many seconds a browser may cache the response to its preflight.
    public init(_ patterns: [OriginPattern], andAll allowsAll: Bool = false, maxAge: Int) {
        self.patterns = patterns
        self.allowsAll = allowsAll
        self.maxAge = maxAge
    }

    /// Whether a page may receive a token. It is not enough that every page may call the server, nor is a host alone
    /// enough for a page loaded by plain http from another machine.
    public func allowsTokens(to origin: String) -> Bool {
        OriginPattern.any(of: patterns, mayTell: origin)
    }

    /// Answers a browser's preflight: the same for every path, because the request itself should say what is wrong with
    /// it, in a response that the page can read.
    /// - Returns: nil if the request isn't one, or comes from a page that is not allowed.
    public func preflight(_ request: HTTPRequest, in generation: Generation) -> HTTPResponse? {
        guard request.method == .options, request.fields.contains("Access-Control-Request-Method"),
            let origin = request.fields["Origin"], allows(origin)
        else { return nil }
        return HTTPResponse(generation.preflightStatus)
    }

    /// Adds to a response what the browser has to know.
    /// - Parameters:
    ///   - fields: those of the request.
    ///   - isOptions: whether the response answers OPTIONS.
    public func sign(_ response: inout HTTPResponse, to fields: HTTPFields, isOptions: Bool) {
        let origin = fields["Origin"]
        if allowsAll {
            // Whoever asks gets the same, so that a cache may give it to everybody.
            allow("*", &response)
        } else {
            guard let origin, allows(origin) else { return }
            allow(origin, &response)
        }
        if origin != nil { answerQuestions(in: fields, isOptions: isOptions, &response) }
    }

    /// What every answer depends on, to caches: also one that no page asked for, which would be given to pages, and one that
    /// a proxy might compress.
    public var variance: String { allowsAll || patterns.isEmpty ? "Accept-Encoding" : "Origin, Accept-Encoding" }

    private func allows(_ origin: String) -> Bool {
        allowsAll || OriginPattern.any(of: patterns, match: origin)
    }

    private func allow(_ origin: String, _ response: inout HTTPResponse) {
        // An API of the program's own may have said it already; twice would mean never.
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

    /// What the Node servers accepted: letters, digits, `-`, `,` and blanks.
    private static func isFieldList(_ text: String) -> Bool {
        (1...requestedFieldsLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-, \t".utf8.contains($0) }
    }
}

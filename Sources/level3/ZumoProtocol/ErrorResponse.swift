public import HTTPModel

/// A failure as the client and the log see it. Each edge has one place where its errors are turned into such values.
public struct ErrorResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The code for programs.
    public var code: ErrorCode
    /// What the client is told: what is wrong and where, but never SQL, a path or a key.
    public var text: String
    /// The value of an Allow field, if the status requires one.
    public var allow: String?
    /// Seconds after which trying again may help.
    public var retryAfter: Int?
    /// The byte of the query at which the fault is; nil if it is something else.
    public var queryOffset: Int?
    /// For the log only.
    public var detail: String?
    /// Whether the text is the operator's, which v1 too answers word for word, as a script's own answer was.
    public var isVerbatim = false

    /// Whether nothing is wrong with the request: the database was away, locked or full.
    public var isOutage = false

    /// The failure of any request while the database is away or locked.
    public init(outage detail: String) {
        self.init(
            .serviceUnavailable, .databaseAway, "The database can't be reached; try again.", retryAfter: 1,
            detail: detail)
        isOutage = true
    }

    /// The failure of a request for a table that the database lacks by now: none of its rows is known to be gone.
    public init(away table: String, detail: String) {
        self.init(
            .serviceUnavailable, .tableAway, "The table '\(table)' is away for now; try again.", retryAfter: 1,
            detail: detail)
        isOutage = true
    }

    /// What is wrong with a request.
    public init(_ code: ErrorCode, _ text: String, detail: String? = nil) {
        self.init(.badRequest, code, text, detail: detail)
    }

    /// A failure of the server's own, of which the log alone tells more.
    public init(failure detail: String) {
        self.init(.internalServerError, .serverFailed, "The server failed to answer.", detail: detail)
    }

    /// Makes a failure.
    public init(
        _ status: HTTPStatus, _ code: ErrorCode, _ text: String, allow: String? = nil, retryAfter: Int? = nil,
        detail: String? = nil
    ) {
        self.status = status
        self.code = code
        self.text = text
        self.allow = allow
        self.retryAfter = retryAfter
        self.detail = detail
    }

    /// The response to a client of that generation.
    public func response(in generation: Generation) -> HTTPResponse {
        if let allow, generation.manners == .services {
            // As the Node runtime had it: the methods and not a word.
            var fields = HTTPFields()
            fields.append("Allow", allow)
            var response = HTTPResponse(status, fields: fields)
            response.reason = text
            return response
        }
        var response =
            isVerbatim && generation.manners == .services
            ? ErrorBody.verbatim(status, text) : ErrorBody.response(status, code, text, in: generation)
        if let allow { response.fields.append("Allow", allow) }
        if let retryAfter { response.fields.append("Retry-After", String(retryAfter)) }
        // RFC 6750 section 3.1. Other answers of 401 get the scheme alone where they are sent.
        if status == .unauthorized, code == .tokenExpired || code == .tokenInvalid {
            response.fields.append(
                "WWW-Authenticate",
                code == .tokenExpired
                    ? "Bearer error=\"invalid_token\", error_description=\"The token has expired\""
                    : "Bearer error=\"invalid_token\"")
        }
        return response
    }
}

public import HTTPModel
public import Tables

/// A failure as the client and the log see it. Each edge has one place where its errors are turned into such values.
public struct ErrorResponse: Sendable {
    /// The status.
    public var status: HTTPStatus
    /// The code for programs.
    public var code: ErrorCode
    /// The message for the client: what is wrong and where, but never SQL, a path or a key.
    public var text: String
    /// The value of an Allow field, if the status requires one.
    public var allow: String?
    /// The number of seconds after which a retry may help.
    public var retryAfter: Int?
    /// The byte offset in the query of the fault; nil for other failures.
    public var queryOffset: Int?
    /// Details for the log only.
    public var detail: String?
    /// Whether the text is the operator's, which even v1 gets word for word, like a script's own answer.
    public var isVerbatim = false

    /// Whether the request isn't at fault: the database was away, locked or full.
    public var isOutage = false

    /// Creates the failure of any request while the database is away or locked.
    public init(outage detail: String) {
        self.init(
            .serviceUnavailable, .databaseAway, "The database can't be reached, or is locked; try again.",
            retryAfter: 1, detail: detail)
        isOutage = true
    }

    /// Creates the failure of a request that is not about rows, whatever keeps the database from doing it.
    public init(outage error: TableError) {
        guard case .full = error else {
            self.init(outage: error.detail)
            return
        }
        self.init(
            .insufficientStorage, .storageFull, "The server has no room to store the change; nothing was written.",
            detail: "the database or its disk is full")
        isOutage = true
    }

    /// Creates the failure of a request for a table that the database currently lacks: its rows may still exist.
    public init(away table: String, detail: String) {
        self.init(
            .serviceUnavailable, .tableAway, "The table '\(table)' is away for now; try again.", retryAfter: 1,
            detail: detail)
        isOutage = true
    }

    /// Creates the failure of a request whose scripts no process runs at the moment.
    public init(scriptsUnavailable detail: String) {
        self.init(
            .serviceUnavailable, .scriptsUnavailable, "The scripts can't be run at the moment; try again.",
            retryAfter: 1, detail: "the scripts can't be run: \(detail)")
    }

    /// Creates the failure of a bad request.
    public init(_ code: ErrorCode, _ text: String, detail: String? = nil) {
        self.init(.badRequest, code, text, detail: detail)
    }

    /// Creates an internal failure, of which only the log gets details.
    public init(failure detail: String) {
        self.init(.internalServerError, .serverFailed, "The server failed to answer.", detail: detail)
    }

    /// Creates a failure.
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

    /// Returns the response for a client of that generation.
    public func response(in generation: Generation) -> HTTPResponse {
        if let allow, generation.family == .services {
            // Like the Node runtime: the methods and an empty body.
            var fields = HTTPFields()
            fields.append("Allow", allow)
            var response = HTTPResponse(status, fields: fields)
            response.reason = text
            return response
        }
        var response =
            isVerbatim && generation.family == .services
            ? ErrorBody.verbatim(status, text) : ErrorBody.response(status, code, text, in: generation)
        if let allow { response.fields.append("Allow", allow) }
        if let retryAfter { response.fields.append("Retry-After", String(retryAfter)) }
        // RFC 6750 section 3.1. Other 401 answers get the bare scheme where they are sent.
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

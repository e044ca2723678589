import Access
import HTTPModel
import TableOperations
import Tables
import ZumoProtocol

/// Every reason to refuse or abort a request below `/api`.
enum APIError: Error {
    case caller(CallerFault)
    case unknownAPI
    /// The same, for an API that hides which verbs it has.
    case unansweredVerb(HTTPMethod)
    case methodNotAllowed(HTTPMethod, allowed: String)
    case verbDisabled(HTTPMethod, allowed: String)
    case unauthorized
    case refused(Refusal)
    /// A database error that the handler did not catch.
    case table(TableError)
    /// The scripts that answer can't be run at the moment. The detail is for the log, never for a client.
    case scripts(detail: String)
    /// The handler threw an error. The detail is for the log, never for a client.
    case failed(detail: String)

    /// Classifies an error thrown by a handler.
    init(thrown error: any Error) {
        switch error {
        case let refusal as Refusal: self = .refused(refusal)
        case RowsError.operation(.refused(let refusal)): self = .refused(refusal)
        case RowsError.operation(.table(let error)): self = .table(error)
        case RowsError.operation(.scripts(let detail)): self = .scripts(detail: detail)
        default: self = .failed(detail: ThrownError.words(error))
        }
    }
}

// The one place where an API's failure becomes a status and a text.
extension ErrorResponse {
    init(_ error: APIError, of name: String) {
        switch error {
        case .caller(let fault): self.init(fault)
        case .unknownAPI: self.init(.notFound, .apiUnknown, "There is no API named '\(ErrorBody.excerpt(name))'.")
        case .unansweredVerb(let method):
            self.init(.notFound, .pathUnknown, "There is nothing at this path for \(ErrorBody.excerpt(method.name)).")
        case .methodNotAllowed(let method, let allowed):
            self.init(
                .methodNotAllowed, .methodNotAllowed, "\(ErrorBody.excerpt(method.name)) is not possible here.",
                allow: allowed)
        case .verbDisabled(let method, let allowed):
            self.init(
                .methodNotAllowed, .operationDisabled, "\(method.name) is disabled for the API '\(name)'.",
                allow: allowed)
        case .unauthorized: self.init(.unauthorized, .loginRequired, "You must be logged in to do this.")
        case .refused(let refusal):
            self.init(refusal.status, refusal.isMalformedBody ? .bodyMalformed : .refused, refusal.text)
        case .table(let error): self.init(error)
        case .scripts(let detail): self.init(scriptsUnavailable: detail)
        case .failed(let detail): self.init(failure: detail)
        }
    }

    /// A table error that a handler lets through is its own failure, except for outages, overload and lack of space.
    private init(_ error: TableError) {
        switch error {
        case .unavailable(let detail): self.init(outage: detail)
        case .away(let name): self.init(away: name.text, detail: error.detail)
        case .doubtful(let detail):
            self.init(
                .serviceUnavailable, .writeDoubtful,
                "The database did not answer in time; a write may have been done. Look before you send it again.",
                retryAfter: 1, detail: detail)
        case .full:
            self.init(
                .insufficientStorage, .storageFull, "The server has no room to store the change.",
                detail: "the database or its disk is full")
            isOutage = true
        case .timeout:
            self.init(
                .serviceUnavailable, .queryTimeout, "A query took too long; ask for less.", retryAfter: 5,
                detail: "a query reached its time limit")
        case .busy: self.init(waiting: 1)
        case .crowded(let seconds): self.init(waiting: seconds)
        default: self.init(failure: error.detail)
        }
    }

    private init(waiting seconds: Int) {
        self.init(
            .serviceUnavailable, .queriesWaiting, "Too many queries are waiting; try again.", retryAfter: seconds,
            detail: "too many queries are there")
    }

    /// The failure as a generation words it: Mobile Services had some texts of its own.
    init(_ error: APIError, of name: String, in generation: Generation) {
        self.init(error, of: name)
        guard generation.family == .services else { return }
        switch error {
        case .caller(.token), .caller(.ended), .unauthorized: text = "Unauthorized"
        case .failed: text = "Internal Server Error"
        case .table where status == .internalServerError: text = "Internal Server Error"
        case .caller, .unknownAPI, .unansweredVerb, .methodNotAllowed, .verbDisabled, .refused, .table, .scripts:
            break
        }
    }
}

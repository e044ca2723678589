public import Access
import ByteText
public import HTTPModel
public import Tables

/// Identifies the senders of requests, and limits how often each user may send them.
public struct Callers: Sendable {
    /// Identifies callers by their tokens and keys.
    public let authenticator: Authenticator
    /// The limit on each user's requests; nil for none.
    public var userLimit: RateLimit?

    /// The proxies whose forwarding fields are trusted.
    public var proxies = TrustedProxies.loopback
    /// Receives failed attempts to use a key.
    public var report: @Sendable (AccessFailure) -> Void = { _ in }
    private let keyAttempts: KeyAttempts
    /// Decides which tokens have expired.
    public var clock: Clock = SystemClock.now
    /// The current time for irreversible operations; nil while no clock can be trusted.
    public var trusted: TrustedClock = { SystemClock.now() }
    /// Tells whose tokens have been ended; nil if none can be.
    public var sessions: (any Sessions)?

    /// Creates an identification of callers without a limit on users.
    /// - Parameter keyAttempts: the wrong keys counted so far.
    public init(_ authenticator: Authenticator, keyAttempts: KeyAttempts = KeyAttempts()) {
        self.authenticator = authenticator
        self.keyAttempts = keyAttempts
    }

    /// Identifies the caller from `X-ZUMO-AUTH` or `Authorization`, `X-ZUMO-APPLICATION` and `X-ZUMO-MASTER`. Call it
    /// once per request, because it counts against the user's limit. Admins have none: their jobs are the operator's
    /// own.
    ///
    /// - Throws: what is wrong with a token. It is refused on every table route, even an anonymous one (v1-132,
    ///   v2-210), so that the client logs in again.
    public func countedPrincipal(
        of request: HTTPRequest, in generation: Generation
    ) async throws(CallerFault) -> Principal {
        try await waitToShowKeys(of: request, in: generation)
        let principal = try shownPrincipal(of: request, in: generation)
        if principal.user != nil { try await count(principal, of: request) }
        return principal
    }

    /// Identifies a request's sender by its credentials alone, which is enough unless it is a user. Call it after the
    /// request has waited to show its keys.
    public func shownPrincipal(of request: HTTPRequest, in generation: Generation) throws(CallerFault) -> Principal {
        let credentials = credentials(of: request, in: generation)
        try checkKeys(in: credentials, of: request)
        if let caller = request.identified { return caller }
        let now = clock().secondsRoundedDown
        do throws(TokenFault) {
            return try authenticator.principal(for: credentials, now: now)
        } catch {
            let words = credentials.token.map { authenticator.verifier.current.words(for: error, of: $0, now: now) }
            throw .token(error, words: words ?? error.rawValue)
        }
    }

    /// Checks that a user's token has not been ended, and counts the request.
    public func count(_ principal: Principal, of request: HTTPRequest) async throws(CallerFault) {
        if let user = principal.user, request.identified == nil { try await checkSession(of: user) }
        guard case .user(let user) = principal, let seconds = userLimit?.spreadWait(for: user.id) else { return }
        throw .tooOften(seconds: seconds)
    }

    private func credentials(of request: HTTPRequest, in generation: Generation) -> Credentials {
        Credentials(
            token: PresentedToken.of(request),
            applicationKey: request.fields["X-ZUMO-APPLICATION"], masterKey: request.fields["X-ZUMO-MASTER"],
            expectsApplicationKey: generation.family == .services)
    }

    /// Whether no request currently has to wait before its keys are checked.
    public var areKeysShownAtOnce: Bool { keyAttempts.areCalm }

    /// Waits for a request's turn to show its keys, if its address has guessed too often.
    /// - Throws: an error if too many requests of the address are already waiting.
    public func waitToShowKeys(of request: HTTPRequest, in generation: Generation) async throws(CallerFault) {
        guard !keyAttempts.areCalm else { return }
        let shown = credentials(of: request, in: generation)
        if let key = shown.masterKey, request.hasNewKey(in: "X-ZUMO-MASTER"), authenticator.holdsMasterKey(shown) != nil
        {
            try await wait(.masterKey, key, request) { authenticator.holdsMasterKey(shown) == true }
        }
        // Next to a token, valid or not, an application key has no effect.
        if let key = shown.applicationKey, request.hasNewKey(in: "X-ZUMO-APPLICATION"),
            shown.token == nil, authenticator.holdsApplicationKey(shown) != nil
        {
            try await wait(.applicationKey, key, request) { authenticator.holdsApplicationKey(shown) == true }
        }
    }

    private func wait(
        _ kind: AccessFailure.Kind, _ key: String, _ request: HTTPRequest, isRight: () -> Bool
    ) async throws(CallerFault) {
        let caller = KeyPresenter(request, trusting: proxies)
        if let seconds = await keyAttempts.waitForTurn(kind, key, from: caller, isRight: isRight) {
            throw .tooManyKeys(seconds: seconds)
        }
    }

    /// Counts wrong keys. A wrong application key always makes the caller anonymous: old apps may keep sending it.
    private func checkKeys(in credentials: Credentials, of request: HTTPRequest) throws(CallerFault) {
        if authenticator.holdsMasterKey(credentials) == false, request.hasNewKey(in: "X-ZUMO-MASTER") {
            let caller = KeyPresenter(request, trusting: proxies)
            if let seconds = keyAttempts.fail(.masterKey, credentials.masterKey, from: caller) {
                throw .tooManyKeys(seconds: seconds)
            }
            report(AccessFailure(.masterKey, from: caller.address, reason: "it is not the master key"))
        }
        if authenticator.holdsApplicationKey(credentials) == false, request.hasNewKey(in: "X-ZUMO-APPLICATION") {
            let caller = KeyPresenter(request, trusting: proxies)
            if keyAttempts.fail(.applicationKey, credentials.applicationKey, from: caller) == nil {
                report(AccessFailure(.applicationKey, from: caller.address, reason: "it is not the application key"))
            }
        }
    }

    /// Returns whether a request has the master key or a valid token with the admin role.
    public func isAdmin(_ request: HTTPRequest) async -> Bool {
        guard case .admin? = try? await countedPrincipal(of: request, in: .v2) else { return false }
        return true
    }

    /// Checks that a token, which is valid in itself, has not been ended.
    public func checkSession(of user: Principal.User) async throws(CallerFault) {
        guard let sessions else { return }
        switch await sessions.state(of: user) {
        case .good: return
        case .ended: throw .ended
        case .unknown(let detail): throw .unavailable(detail)
        }
    }
}

/// Why a caller is rejected before the request is examined.
public enum CallerFault: Error, Sendable, Equatable {
    /// The token is invalid; the words are for the log.
    case token(TokenFault, words: String)
    /// The token was ended before it expired.
    case ended
    /// The token's state can't be determined now; the reason is for the log.
    case unavailable(String)
    /// The user has reached the limit on requests.
    case tooOften(seconds: Int)
    /// Too many keys from the address were wrong.
    case tooManyKeys(seconds: Int)
}

extension ErrorResponse {
    /// Creates the response to a rejected caller. What is wrong with a forged token is only revealed to the operator.
    public init(_ fault: CallerFault) {
        switch fault {
        case .token(let fault, let words):
            let (code, text): (ErrorCode, String) =
                fault == .expired
                ? (.tokenExpired, "The token has expired.") : (.tokenInvalid, "The token is not valid.")
            self.init(.unauthorized, code, text, detail: "token refused: \(words)")
        case .ended:
            self.init(
                .unauthorized, .tokenInvalid, "The token is not valid.",
                detail: "token refused: its login has been ended")
        case .unavailable(let detail): self.init(outage: detail)
        case .tooOften(let seconds):
            self.init(tooOften: "limits.userRequestsPerMinute", seconds: seconds)
        case .tooManyKeys(let seconds):
            self.init(
                .tooManyRequests, .tooManyAttempts, "Too many attempts; try again in \(seconds) s.",
                retryAfter: seconds,
                detail: "too many wrong keys from the address")
        }
    }

    /// Creates the response to a caller that exceeds a limit.
    /// - Parameters:
    ///   - limit: the key of the limit, for the log.
    ///   - seconds: after how many seconds to retry.
    public init(tooOften limit: String, seconds: Int) {
        self.init(
            .tooManyRequests, .tooManyRequests, "Too many requests; try again in \(seconds) s.", retryAfter: seconds,
            detail: "over \(limit)")
    }
}

public import Access
import ByteText
public import HTTPModel
public import Tables

/// Finds out who sends requests, and how often each user may.
public struct Callers: Sendable {
    /// Identifies callers by their tokens and keys.
    public let authenticator: Authenticator
    /// How often one user may ask; nil for as often as they like.
    public var userLimit: RateLimit?

    /// The proxies whose statements about addresses are believed.
    public var proxies = TrustedProxies.loopback
    /// Learns of wrong keys.
    public var report: @Sendable (AccessFailure) -> Void = { _ in }
    private let keyAttempts: KeyAttempts
    /// Decides which tokens have expired.
    public var clock: Clock = SystemClock.now
    /// The present for what can't be taken back; nil while no clock may be believed.
    public var trusted: TrustedClock = { SystemClock.now() }
    /// Knows whose tokens have been ended; nil if none can be.
    public var sessions: (any Sessions)?

    /// The keys that the request at hand has shown and that were looked at. One that comes to the server once more, through a
    /// chain, is no second guess.
    @TaskLocal private static var shown: Credentials?

    /// Does something for a request whose keys were looked at; for nil, where they were not.
    public func withShownKeys<Result>(
        of request: HTTPRequest?, in generation: Generation, _ body: () async throws -> Result
    ) async rethrows -> Result {
        try await Self.$shown.withValue(request.map { credentials(of: $0, in: generation) }, operation: body)
    }

    /// Who asks, where a program's own application has found that out in its own way; nil where nobody has.
    @TaskLocal private static var asserted: Principal?

    /// Does something in the name of a caller, whatever a request shows; for nil, in that of whoever it shows.
    public func asserting<Result>(_ caller: Principal?, _ body: () async throws -> Result) async rethrows -> Result {
        try await Self.$asserted.withValue(caller, operation: body)
    }

    /// Callers who may ask as often as they like.
    /// - Parameter keyAttempts: the wrong keys that were counted before.
    public init(_ authenticator: Authenticator, keyAttempts: KeyAttempts = KeyAttempts()) {
        self.authenticator = authenticator
        self.keyAttempts = keyAttempts
    }

    /// Identifies the caller from `X-ZUMO-AUTH` or `Authorization`, `X-ZUMO-APPLICATION` and `X-ZUMO-MASTER`. Call it
    /// once per request, because it counts against the user's limit. Admins have none: their jobs are the operator's
    /// own.
    ///
    /// - Throws: what is wrong with a token. It is refused on every table route, even an anonymous one (v1-132,
    ///   v2-210): the client logs in again.
    public func countedPrincipal(
        of request: HTTPRequest, in generation: Generation
    ) async throws(CallerFault) -> Principal {
        try await waitToShowKeys(of: request, in: generation)
        let principal = try shownPrincipal(of: request, in: generation)
        if principal.user != nil { try await count(principal) }
        return principal
    }

    /// What a request shows of its sender: all there is to find out if it isn't a user. Call it after the request has
    /// waited to show its keys.
    public func shownPrincipal(of request: HTTPRequest, in generation: Generation) throws(CallerFault) -> Principal {
        let credentials = credentials(of: request, in: generation)
        try checkKeys(in: credentials, of: request)
        if let asserted = Self.asserted { return asserted }
        let now = clock().secondsRoundedDown
        do throws(TokenFault) {
            return try authenticator.principal(for: credentials, now: now)
        } catch {
            let words = credentials.token.map { authenticator.verifier.current.words(for: error, of: $0, now: now) }
            throw .token(error, words: words ?? error.rawValue)
        }
    }

    /// Makes sure that a user's token has not been ended, and counts the request.
    public func count(_ principal: Principal) async throws(CallerFault) {
        if let user = principal.user { try await checkSession(of: user) }
        if case .user(let user) = principal { try count(user) }
    }

    private func credentials(of request: HTTPRequest, in generation: Generation) -> Credentials {
        Credentials(
            token: PresentedToken.of(request),
            applicationKey: request.fields["X-ZUMO-APPLICATION"], masterKey: request.fields["X-ZUMO-MASTER"],
            expectsApplicationKey: generation.manners == .services)
    }

    /// Whether no request has to wait before its keys are looked at.
    public var areKeysShownAtOnce: Bool { keyAttempts.areCalm }

    /// Waits until it is the turn of a request to show its keys, where its address has guessed too often.
    /// - Throws: where too many of the address wait already.
    public func waitToShowKeys(of request: HTTPRequest, in generation: Generation) async throws(CallerFault) {
        guard !keyAttempts.areCalm else { return }
        let shown = credentials(of: request, in: generation)
        if let key = shown.masterKey, Self.isNew(key, beside: \.masterKey), authenticator.holdsMasterKey(shown) != nil {
            try await wait(.masterKey, key, request) { authenticator.holdsMasterKey(shown) == true }
        }
        // Beside a token, which is good or refused, an application key opens nothing.
        if let key = shown.applicationKey, Self.isNew(key, beside: \.applicationKey), shown.token == nil,
            authenticator.holdsApplicationKey(shown) != nil
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

    private static func isNew(_ key: String?, beside kind: KeyPath<Credentials, String?>) -> Bool {
        guard let key, let shown = shown?[keyPath: kind] else { return true }
        return !key.isExactly(shown)
    }

    /// Counts wrong keys. With a wrong application key a caller is anybody, however often: old apps may go on sending theirs.
    private func checkKeys(in credentials: Credentials, of request: HTTPRequest) throws(CallerFault) {
        if authenticator.holdsMasterKey(credentials) == false, Self.isNew(credentials.masterKey, beside: \.masterKey) {
            let caller = KeyPresenter(request, trusting: proxies)
            if let seconds = keyAttempts.fail(.masterKey, credentials.masterKey, from: caller) {
                throw .tooManyKeys(seconds: seconds)
            }
            report(AccessFailure(.masterKey, from: caller.address, reason: "it is not the master key"))
        }
        if authenticator.holdsApplicationKey(credentials) == false,
            Self.isNew(credentials.applicationKey, beside: \.applicationKey)
        {
            let caller = KeyPresenter(request, trusting: proxies)
            if keyAttempts.fail(.applicationKey, credentials.applicationKey, from: caller) == nil {
                report(AccessFailure(.applicationKey, from: caller.address, reason: "it is not the application key"))
            }
        }
    }

    /// Whether a request shows the master key or a good token with the admin role.
    public func isAdmin(_ request: HTTPRequest) async -> Bool {
        guard case .admin? = try? await countedPrincipal(of: request, in: .v2) else { return false }
        return true
    }

    /// Makes sure that a token, which is good in itself, has not been ended.
    public func checkSession(of user: Principal.User) async throws(CallerFault) {
        guard let sessions, Self.asserted == nil else { return }
        switch await sessions.state(of: user) {
        case .good: return
        case .ended: throw .ended
        case .unknown(let detail): throw .unavailable(detail)
        }
    }

    /// Counts a request with a valid token against its user's limit.
    public func count(_ user: Principal.User) throws(CallerFault) {
        if let seconds = userLimit?.spreadWait(for: user.id) { throw .tooOften(seconds: seconds) }
    }
}

/// Why a caller is turned away before anything is looked at.
public enum CallerFault: Error, Sendable, Equatable {
    /// The token is no good; the words are the log's.
    case token(TokenFault, words: String)
    /// The token was ended before its time.
    case ended
    /// It can't be decided now; the reason is for the log.
    case unavailable(String)
    /// The user has to wait.
    case tooOften(seconds: Int)
    /// Too many keys of the address were wrong.
    case tooManyKeys(seconds: Int)
}

extension ErrorResponse {
    /// What a rejected caller is told. What is wrong with a forged token is only for the operator to know.
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

    /// What a caller is told that asks too often.
    /// - Parameters:
    ///   - limit: the key of the limit, for the log.
    ///   - seconds: after which there is a turn again.
    public init(tooOften limit: String, seconds: Int) {
        self.init(
            .tooManyRequests, .tooManyRequests, "Too many requests; try again in \(seconds) s.", retryAfter: seconds,
            detail: "over \(limit)")
    }
}

import Access
import HTTPModel
import JSONText
import Scalars
import Synchronization
import Tables
import ZumoProtocol

/// Signs operators in and out of the page, and recognizes their sessions.
final class PageSessions: Sendable {
    private let parts: PageDependencies
    private let seal = Mutex<SessionSeal?>(nil)

    /// The cookie's path keeps it from the rest of the server. The end of its name tells apart servers of other
    /// databases on the same host, because cookies don't distinguish ports.
    private static func cookieName(_ seal: SessionSeal) -> String { "zumod_page_" + seal.mark(of: "cookie").prefix(8) }
    /// Browsers limit a cookie to 4,096 bytes, including attributes.
    private static let mostBytes = 3_800

    init(_ parts: PageDependencies) {
        self.parts = parts
    }

    // MARK: Knowing them again

    /// Returns the session of a request.
    /// - Throws: `signedOut` if there is none, or if it has expired or its credentials are no longer valid.
    func session(of request: HTTPRequest) async throws(PageFault) -> PageSession {
        let seal = try await currentSeal()
        // Cookies of the same name that others have set are ignored.
        let shown = Self.cookies(of: request, named: Self.cookieName(seal)).lazy
        guard var session = shown.compactMap({ seal.open($0).flatMap(PageSession.init(bytes:)) }).first(where: isOpen)
        else { throw .signedOut }
        switch session.proof {
        case .key(let mark):
            guard parts.callers.authenticator.masterKeyMark(seal.mark) == mark else { throw .signedOut }
        case .token(let token):
            let user = try await user(of: token)
            session.user = user
            session.name = user.id
        }
        return session
    }

    private func isOpen(_ session: PageSession) -> Bool {
        now <= session.end
    }

    /// Returns the admin of a token that is still valid.
    private func user(of token: String) async throws(PageFault) -> Principal.User {
        let seconds = Instant(milliseconds: now).secondsRoundedDown
        guard
            case .admin(let user?)? = try? parts.callers.authenticator.principal(
                for: Credentials(token: token), now: seconds)
        else { throw .signedOut }
        do throws(CallerFault) {
            try await parts.callers.checkSession(of: user)
        } catch {
            if case .unavailable = error { throw .other(ErrorResponse(error)) }
            throw .signedOut
        }
        return user
    }

    /// Returns the cookie that extends a session; nil if the current one is recent enough.
    func renewal(of session: PageSession) async throws(PageFault) -> String? {
        guard now - session.renewedAt > PageSession.renewalTime else { return nil }
        var renewed = session
        renewed.renewedAt = now
        return try await cookie(of: renewed)
    }

    // MARK: Signing in and out

    /// Says who is signed in, or how to sign in.
    func describe(_ request: HTTPRequest) async throws(PageFault) -> HTTPResponse {
        do throws(PageFault) {
            return description(of: try await session(of: request), to: request)
        } catch {
            guard case .signedOut = error else { throw error }
            return signInDescription(to: request)
        }
    }

    /// Signs an operator in.
    func begin(_ request: HTTPRequest) async throws(PageFault) -> HTTPResponse {
        // A form of another page can't send this type.
        guard request.fields["Content-Type"]?.lowercased().hasPrefix("application/json") == true else { throw .foreign }
        let proof = try await proof(in: request)
        var session = PageSession(proof, token: RandomID.make(), at: now, isSecure: isSecure(request))
        if case .token(let token) = proof {
            let user = try await user(of: token)
            session.user = user
            session.name = user.id
        }
        let cookie = try await cookie(of: session)
        var response = description(of: session, to: request)
        response.fields.append("Set-Cookie", cookie)
        return response
    }

    /// Makes the browser drop the session. The server doesn't keep sessions: a copied cookie works until it expires.
    func end(_ request: HTTPRequest) async throws(PageFault) -> HTTPResponse {
        let name = Self.cookieName(try await currentSeal())
        var response = HTTPResponse(.noContent)
        response.fields.append(
            "Set-Cookie", "\(name)=; \(Self.attributes(isSecure: isSecure(request))); Max-Age=0")
        return response
    }

    private func proof(in request: HTTPRequest) async throws(PageFault) -> PageSession.Proof {
        guard let body = try? JSONReader.parse(request.body) else {
            throw .body("The body has to be a JSON object with key, token, or name and password.")
        }
        if let key = body["key"]?.textValue, !key.isEmpty {
            guard case .admin? = try await principal(key: key, request) else {
                throw .other(ErrorResponse(.unauthorized, .passwordWrong, "This is not the master key."))
            }
            let seal = try await currentSeal()
            guard let mark = parts.callers.authenticator.masterKeyMark(seal.mark) else { throw .signedOut }
            return .key(mark)
        }
        if let token = body["token"]?.textValue, !token.isEmpty {
            guard case .admin? = try await principal(token: token, request) else { throw .other(Self.notAdmin) }
            return .token(token)
        }
        guard let name = body["name"]?.textValue, let password = body["password"]?.textValue else {
            throw .body("The body has to have key, token, or name and password.")
        }
        guard let login = parts.token else {
            throw .other(
                ErrorResponse(
                    .unauthorized, .loginsOff,
                    "Nobody logs in by a password here: the configuration has no local users."))
        }
        let address = ClientAddress.limited(request, trusting: parts.proxies)
        do throws(SignInRefusal) {
            return .token(try await login(PasswordSignIn(name: name, password: password, address: address)))
        } catch {
            throw .other(error.response)
        }
    }

    static let notAdmin = ErrorResponse(
        .forbidden, .adminOnly, "This is a user without the admin role, and the page shows everybody's rows.")

    /// Authenticates credentials in the same way as for any request, so that wrong ones are counted.
    private func principal(
        key: String? = nil, token: String? = nil, _ request: HTTPRequest
    ) async throws(PageFault) -> Principal? {
        var proving = request
        proving.fields = HTTPFields()
        ClientAddress.copyFields(of: request, to: &proving)
        if let key { proving.fields.append("X-ZUMO-MASTER", key) }
        if let token { proving.fields.append("X-ZUMO-AUTH", token) }
        // In the queue of passwords, where addresses take turns and each has a limited number of attempts at once.
        let address = ClientAddress.limited(request, trusting: parts.proxies)
        guard await parts.waitForTurn(address) else {
            throw .other(
                ErrorResponse(
                    .serviceUnavailable, .serverBusy, "Too many logins at once; try again.",
                    retryAfter: BusyRetry.seconds()))
        }
        do throws(CallerFault) {
            return try await parts.callers.countedPrincipal(of: proving, in: .v2)
        } catch {
            throw .other(ErrorResponse(error))
        }
    }

    // MARK: What is told

    private func description(of session: PageSession, to request: HTTPRequest) -> HTTPResponse {
        .page(
            .object(
                [
                    JSONMember("signedIn", true), JSONMember("name", .string(session.name)),
                    JSONMember("csrf", .string(session.token)),
                    JSONMember("endsAt", .string(Instant(milliseconds: session.end).wireText)),
                ] + server))
    }

    private func signInDescription(to request: HTTPRequest) -> HTTPResponse {
        let hasKey = parts.callers.authenticator.masterKeyMark({ $0 }) != nil
        let ways = [("key", true), ("token", parts.takesTokens || hasKey), ("password", parts.token != nil)]
        var members = [
            JSONMember("signedIn", false), JSONMember("ways", JSONValue(ways.filter(\.1).map(\.0))),
        ]
        if !hasKey, OperatorAccess.isOnMachine(request) {
            members.append(JSONMember("hint", .string(Self.hint + (parts.signsTokens ? Self.tokenHint : "."))))
        }
        return .page(.object(members + server))
    }

    private static let hint = "No master key is set. Set ZUMOD_AUTH_MASTER_KEY and restart the server"
    private static let tokenHint = ", or sign in with a token from `zumod token --user me --claim role=admin`."

    private var server: [JSONMember] {
        [
            JSONMember("server", .string(parts.product)), JSONMember("store", .string(parts.storeName)),
            JSONMember("test", .boolean(parts.isTest)),
        ]
    }

    // MARK: The cookie

    private func cookie(of session: PageSession) async throws(PageFault) -> String {
        let seal = try await currentSeal()
        let text = seal.seal(session.bytes)
        guard text.utf8.count <= Self.mostBytes else {
            throw .other(
                ErrorResponse(.bodyMalformed, "The token is too long to be kept in a cookie; use the master key."))
        }
        return "\(Self.cookieName(seal))=\(text); \(Self.attributes(isSecure: session.isSecure))"
    }

    private static func attributes(isSecure: Bool) -> String {
        "Path=/_; HttpOnly; SameSite=Strict" + (isSecure ? "; Secure" : "")
    }

    /// Whether the browser came by HTTPS, according to its Origin or else the server's address. A browser on the
    /// server's machine may use plain HTTP with a server that others reach by HTTPS.
    private func isSecure(_ request: HTTPRequest) -> Bool {
        let address = PublicAddress(request, publicURL: parts.publicURL, trusting: parts.proxies).base
        return (request.fields["Origin"] ?? address).lowercased().hasPrefix("https:")
    }

    private static func cookies(of request: HTTPRequest, named name: String) -> [String] {
        var found: [String] = []
        for field in request.fields.values("Cookie") {
            for pair in field.split(separator: ";") {
                let trimmed = pair.drop { $0 == " " }
                if trimmed.hasPrefix(name + "=") { found.append(String(trimmed.dropFirst(name.count + 1))) }
            }
        }
        return found
    }

    private func currentSeal() async throws(PageFault) -> SessionSeal {
        if let known = seal.withLock({ $0 }) { return known }
        do throws(TableError) {
            let made = SessionSeal(secret: try await parts.secret())
            seal.withLock { $0 = made }
            return made
        } catch {
            throw .store(error)
        }
    }

    /// In milliseconds since 1970.
    private var now: Int64 { parts.callers.clock().milliseconds }
}

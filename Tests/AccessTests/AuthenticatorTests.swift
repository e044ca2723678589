import Access
import Testing

@Suite("Credentials")
struct AuthenticatorTests {
    static let urn = "urn:microsoft:windows-azure:zumo"

    struct Server {
        let authenticator: Authenticator
        let minter: TokenMinter

        init(applicationKey: String? = nil, masterKey: String? = "master", required: Bool = false) throws {
            let key = try SigningKey(String(repeating: "5a", count: 32))
            minter = TokenMinter(key: key, issuer: urn, audience: urn)
            authenticator = Authenticator(
                verifier: TokenVerifier(signingKey: key, issuers: [urn], audiences: [urn]),
                applicationKey: try applicationKey.map { try SharedSecret($0) },
                masterKey: try masterKey.map { try SharedSecret($0) }, applicationKeyRequired: required)
        }

        func principal(_ credentials: Credentials) throws(TokenFault) -> Principal {
            try authenticator.principal(for: credentials, now: 1000)
        }

        func token(claims: [String: String] = [:]) throws -> String {
            try minter.mint(user: "sid:1", claims: claims, lifetime: .seconds(10), now: 1000)
        }
    }

    struct ApplicationCase: Sendable {
        let configured: String?
        let sent: String?
        let isV1: Bool
        let required: Bool
        let principal: Principal
    }

    @Test(arguments: [
        // v1 clients send the key where the service has one.
        ApplicationCase(configured: nil, sent: nil, isV1: true, required: false, principal: .application),
        ApplicationCase(configured: nil, sent: "any", isV1: true, required: false, principal: .application),
        ApplicationCase(configured: "key", sent: nil, isV1: true, required: false, principal: .anonymous),
        ApplicationCase(configured: "key", sent: "", isV1: true, required: false, principal: .anonymous),
        ApplicationCase(configured: "key", sent: "KEY", isV1: true, required: false, principal: .anonymous),
        ApplicationCase(configured: "key", sent: "key", isV1: true, required: false, principal: .application),
        // v2 and v3 clients know none.
        ApplicationCase(configured: nil, sent: nil, isV1: false, required: false, principal: .application),
        ApplicationCase(configured: "key", sent: nil, isV1: false, required: false, principal: .application),
        ApplicationCase(configured: "key", sent: "wrong", isV1: false, required: false, principal: .application),
        ApplicationCase(configured: "key", sent: nil, isV1: false, required: true, principal: .anonymous),
        ApplicationCase(configured: "key", sent: "wrong", isV1: false, required: true, principal: .anonymous),
        ApplicationCase(configured: "key", sent: "key", isV1: false, required: true, principal: .application),
        // Required, and none to show: closed.
        ApplicationCase(configured: nil, sent: nil, isV1: false, required: true, principal: .anonymous),
        ApplicationCase(configured: nil, sent: "any", isV1: true, required: true, principal: .anonymous),
    ])
    func `the application level asks v1 clients for the key, others only where it is required`(
        example: ApplicationCase
    ) throws {
        let server = try Server(applicationKey: example.configured, required: example.required)
        let credentials = Credentials(applicationKey: example.sent, expectsApplicationKey: example.isV1)
        #expect(try server.principal(credentials) == example.principal)
    }

    @Test func `a token makes a user, with its claims`() throws {
        let server = try Server()
        let token = try server.token(claims: ["idp": "facebook"])
        let principal = try server.principal(Credentials(token: token))
        guard case .user(let user) = principal else {
            Issue.record("not a user")
            return
        }
        #expect(user.id == "sid:1")
        #expect(user.claims["idp"] == "facebook")
        #expect(user.claims["ver"] == "3")
        #expect(!user.isAdmin)
        #expect(principal.user == user)
    }

    @Test func `the master key makes an admin, in every generation`() throws {
        let server = try Server(applicationKey: "key")
        for isV1 in [true, false] {
            #expect(try server.principal(Credentials(masterKey: "master", expectsApplicationKey: isV1)) == .admin(nil))
        }
    }

    @Test func `the master key beside a token keeps the user`() throws {
        let server = try Server()
        let principal = try server.principal(Credentials(token: try server.token(), masterKey: "master"))
        guard case .admin(let user?) = principal else {
            Issue.record("no admin with a user")
            return
        }
        #expect(user.id == "sid:1")
    }

    @Test(arguments: [nil, "", "Master", "maste", "masterr", "key"])
    func `another master key makes nobody an admin`(sent: String?) throws {
        let server = try Server(applicationKey: "key")
        #expect(try server.principal(Credentials(masterKey: sent, expectsApplicationKey: true)) == .anonymous)
    }

    @Test(arguments: ["", "master"])
    func `without a configured master key none opens anything`(sent: String) throws {
        let server = try Server(masterKey: nil)
        #expect(try server.principal(Credentials(masterKey: sent)) == .application)
    }

    @Test func `the admin role of a token makes an admin`() throws {
        let server = try Server()
        let principal = try server.principal(Credentials(token: try server.token(claims: ["role": "admin"])))
        #expect(principal.user?.id == "sid:1")
        #expect(AccessLevel.admin.decision(for: principal) == .allowed)
    }

    @Test(arguments: ["Admin", "admins", "user", "admin,user"])
    func `another role makes no admin`(role: String) throws {
        let server = try Server()
        let principal = try server.principal(Credentials(token: try server.token(claims: ["role": role])))
        #expect(AccessLevel.admin.decision(for: principal) == .unauthorized)
    }

    @Test func `an invalid token is a fault even beside the right keys`() throws {
        let server = try Server(applicationKey: "key")
        let credentials = Credentials(token: "garbage", applicationKey: "key", masterKey: "master")
        #expect(throws: TokenFault.malformed) { try server.principal(credentials) }
    }

    @Test func `an empty token is no token`() throws {
        let server = try Server()
        #expect(try server.principal(Credentials(token: "")) == .application)
    }

    @Test func `a server without keys refuses every token`() throws {
        let token = try Server().token()
        let closed = Authenticator(verifier: TokenVerifier())
        #expect(throws: TokenFault.unknownKey) { try closed.principal(for: Credentials(token: token), now: 1000) }
        #expect(try closed.principal(for: Credentials(), now: 1000) == .application)
    }
}

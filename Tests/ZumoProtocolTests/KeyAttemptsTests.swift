import Access
import HTTPModel
import Testing

@testable import ZumoProtocol

@Suite struct `Guesses of a key` {
    private static let key = "0123456789abcdef0123456789abcdef"

    private static func callers() throws -> Callers {
        Callers(
            Authenticator(
                verifier: TokenVerifier(),
                applicationKey: try SharedSecret("app-" + key), masterKey: try SharedSecret(key)))
    }

    private static func request(_ field: StaticString, _ key: String, from address: String) -> HTTPRequest {
        var request = HTTPRequest(method: .get, target: Array("/tables/todo".utf8), peer: address)
        request.fields.append(field, key)
        return request
    }

    /// What became of a request, in a word.
    private static func ask(_ callers: Callers, _ request: HTTPRequest) async -> String {
        do throws(CallerFault) {
            switch try await callers.countedPrincipal(of: request, in: .v1) {
            case .admin: return "admin"
            case .application: return "application"
            default: return "anybody"
            }
        } catch {
            if case .tooManyKeys = error { return "refused" }
            return "\(error)"
        }
    }

    /// Many at once, each with a key of its own.
    private static func guess(_ count: Int, _ field: StaticString, _ callers: Callers) async -> [String] {
        await withTaskGroup(of: String.self) { group in
            for number in 0..<count {
                group.addTask { await ask(callers, request(field, "guess \(number)", from: "192.0.2.1")) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test(arguments: ["X-ZUMO-MASTER", "X-ZUMO-APPLICATION"])
    func `cost their address time, by however many connections they come`(field: String) async throws {
        let callers = try Self.callers()
        let name: StaticString = field == "X-ZUMO-MASTER" ? "X-ZUMO-MASTER" : "X-ZUMO-APPLICATION"
        let right = field == "X-ZUMO-MASTER" ? Self.key : "app-" + Self.key
        let start = ContinuousClock.now
        let answers = await Self.guess(5_000, name, callers)
        let perSecond = field == "X-ZUMO-MASTER" ? 2.0 : 10
        let seconds = start.duration(to: .now) / .seconds(1)
        let looked = answers.count { $0 == "anybody" }
        #expect(Double(looked) <= 100 + perSecond * (seconds + 11), "\(looked) keys were looked at in \(seconds) s")
        #expect(answers.count { $0 == "refused" } > 4_000)

        // The right one waits as the others do, and is let in.
        #expect(await Self.ask(callers, Self.request(name, right, from: "192.0.2.1")) != "refused")
        // Nobody else waits.
        #expect(await Self.ask(callers, Self.request(name, right, from: "192.0.2.2")) != "refused")
    }

    @Test func `are not unbounded by another address with each, where a proxy on this machine passes that on`()
        async throws
    {
        var callers = try Self.callers()
        func guesses(_ count: Int) async -> [String] {
            await withTaskGroup(of: String.self) { group in
                for number in 0..<count {
                    var request = Self.request("X-ZUMO-MASTER", "guess \(number)", from: "127.0.0.1")
                    request.fields.append("X-Forwarded-For", "10.1.\(number / 250).\(number % 250)")
                    group.addTask { [callers] in await Self.ask(callers, request) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
        }
        let start = ContinuousClock.now
        let answers = await guesses(4_000)
        let seconds = start.duration(to: .now) / .seconds(1)
        let looked = answers.count { $0 == "anybody" }
        #expect(Double(looked) <= 1_000 + 20 * (seconds + 11), "\(looked) keys were looked at in \(seconds) s")
        // What this machine asks by itself doesn't wait, nor do users of apps.
        #expect(await Self.ask(callers, Self.request("X-ZUMO-MASTER", Self.key, from: "127.0.0.1")) == "admin")
        var app = Self.request("X-ZUMO-APPLICATION", "app-" + Self.key, from: "127.0.0.1")
        app.fields.append("X-Forwarded-For", "192.0.2.9")
        #expect(await Self.ask(callers, app) == "application")
        // Whoever names a proxy vouches for what it says.
        callers.proxies = try #require(TrustedProxies(["127.0.0.1"]))
        #expect(await guesses(500).allSatisfy { $0 == "anybody" })
    }

    @Test func `are not what an old app does that goes on sending its own`() async throws {
        let callers = try Self.callers()
        for _ in 0..<500 {
            let answer = await Self.ask(callers, Self.request("X-ZUMO-APPLICATION", "of an old app", from: "192.0.2.1"))
            #expect(answer == "anybody")
        }
        #expect(callers.areKeysShownAtOnce)
        #expect(
            await Self.ask(callers, Self.request("X-ZUMO-APPLICATION", "app-" + Self.key, from: "192.0.2.1"))
                == "application")
    }
}

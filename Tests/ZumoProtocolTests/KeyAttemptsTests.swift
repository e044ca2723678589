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

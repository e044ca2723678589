import HTTPModel
import Synchronization

/// Answers with streams and with several buffers, as the target says, or not at all.
final class StreamHandler: HTTPHandler {
    struct Broken: Error {}

    /// How many buffers were asked for.
    let asked = Count()
    /// How many producers learned by their cancellation that nobody waits any more.
    let cancellations = Count()
    /// What holds back the second buffer of `/gated`.
    let gate = Gate()
    private let told = Mutex<[String]>([])
    private let asking = Mutex<[ResponseTicket]>([])

    /// Why streams broke off, with the request's target before it.
    var breaks: [String] { told.withLock { $0 } }
    /// Those of all requests in turn.
    var tickets: [ResponseTicket] { asking.withLock { $0 } }

    /// Several buffers, as they are answered at `/buffers/COUNT`.
    static func buffers(_ count: Int) -> [[UInt8]] {
        (0..<count).map { number in
            // An empty one among them is no end.
            [UInt8](repeating: UInt8(97 + number % 26), count: number % 7 == 3 ? 0 : number * 997 % 30_000)
        }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let ticket = request.answer { asking.withLock { $0.append(ticket) } }
        let target = String(decoding: request.target, as: UTF8.self)
        var response = HTTPResponse(.ok, body: body(target))
        response.fields.append("Content-Type", "text/plain")
        if target == "/withheld" { response.isWithheld = true }
        return response
    }

    func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
        TestHandler().response(to: fault, after: request)
    }

    func didBreakOff(_ answer: HTTPResponse, to request: HTTPRequest, because error: any Error) {
        told.withLock { $0.append("\(String(decoding: request.target, as: UTF8.self)): \(error)") }
    }

    private func body(_ target: String) -> ResponseBody {
        if target.hasPrefix("/buffers/") { return .buffers(Self.buffers(Int(target.dropFirst(9)) ?? 0)) }
        let large = [UInt8](repeating: 120, count: 300_000)
        switch target {
        case "/words": return script(["one", "", "twelve letters"])
        case "/known": return script(["one", "two"], length: 6)
        case "/nothing": return script([], length: 0)
        case "/short": return script(["one", "two"], length: 7)
        case "/whole": return script(["one", "two"], length: 6) { throw Broken() }
        case "/long": return script(["one", "two"], length: 5)
        case "/broken": return script(["one"]) { throw Broken() }
        case "/gated":
            return script(["one"]) { [gate] in
                await gate.pass()
                return Array("two".utf8)
            }
        case "/silent": return script(["one"]) { [cancellations] in try await Self.waitForever(cancellations) }
        case "/large": return .stream(ResponseStream { [asked] in asked.next() <= 10 ? large : nil })
        case "/sequence":
            let (buffers, continuation) = AsyncStream<[UInt8]>.makeStream()
            for word in ["a", "b"] { continuation.yield(Array(word.utf8)) }
            continuation.finish()
            return .stream(ResponseStream(buffers))
        case "/endless":
            return .stream(
                ResponseStream { [asked] in
                    _ = asked.next()
                    return large
                })
        default: return .bytes(Array(target.utf8))
        }
    }

    /// A stream of words, and of what comes after them once.
    private func script(
        _ words: [String], length: Int? = nil, then last: (@Sendable () async throws -> [UInt8]?)? = nil
    ) -> ResponseBody {
        let turn = Count()
        return .stream(
            ResponseStream(length: length) { [asked] in
                _ = asked.next()
                let number = turn.next()
                if number <= words.count { return Array(words[number - 1].utf8) }
                return number == words.count + 1 ? try await last?() : nil
            })
    }

    private static func waitForever(_ cancellations: Count) async throws -> [UInt8]? {
        do {
            try await Task.sleep(for: .seconds(3_600))
        } catch {
            _ = cancellations.next()
            throw error
        }
        return nil
    }
}

extension Count {
    /// One more.
    func next() -> Int { number.add(1, ordering: .relaxed).newValue }

    /// So many.
    var value: Int { number.load(ordering: .relaxed) }
}

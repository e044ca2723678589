import CurlClient
import Foundation
import HTTPModel
import HTTPServer
import Operating
import SQLiteStorage
import Synchronization
import Tables
import Testing
import WireTesting

@testable import Transfer

@Suite(.ownThread) struct `Reading from another server` {
    /// A server that gives one answer after the other, the last one again and again; nil hangs until the test is over.
    private final class Source: HTTPHandler {
        private let answers: Mutex<[(HTTPStatus, String)?]>
        private let asked = Mutex<[String]>([])
        private let (end, over) = AsyncStream<Void>.makeStream()

        init(_ answers: [(HTTPStatus, String)?]) {
            self.answers = Mutex(answers)
        }

        var targets: [String] { asked.withLock { $0 } }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            asked.withLock { $0.append(String(decoding: request.target, as: UTF8.self)) }
            guard let (status, body) = answers.withLock({ $0.count > 1 ? $0.removeFirst() : $0[0] }) else {
                for await _ in end {}
                return HTTPResponse(.ok)
            }
            return HTTPResponse(status, body: Array(body.utf8))
        }

        func response(to fault: HTTPFault, after request: HTTPRequest) -> HTTPResponse {
            HTTPResponse(fault.status)
        }

        func stop() { over.finish() }
    }

    private struct Outcome {
        var rows = 0
        var told: [String] = []
        var refusal: String?
        var targets: [String] = []
    }

    private func read(
        _ answers: [(HTTPStatus, String)?], answerSeconds: Int = 10, answerBytes: Int = 64 << 20
    ) async throws -> Outcome {
        let source = Source(answers)
        let server = HTTPServer(handler: source)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        defer {
            source.stop()
            server.stop()
        }
        var outcome = try await read(port: port, answerSeconds: answerSeconds, answerBytes: answerBytes)
        outcome.targets = source.targets
        return outcome
    }

    private func read(
        port: UInt16, answerSeconds: Int = 10, answerBytes: Int = 64 << 20
    ) async throws -> Outcome {
        let name = try #require(Identifier("TodoItem"))
        var table = try RemoteTable(name, at: "http://127.0.0.1:\(port)", headers: [], token: nil)
        table.firstPause = .milliseconds(1)
        table.client.answerSeconds = answerSeconds
        table.client.answerBytes = answerBytes
        var outcome = Outcome()
        var told: [String] = []
        do throws(CommandFault) {
            outcome.rows = try await table.rows(at: .stamps(from: nil)) { told.append($0) }.count
        } catch {
            if case .data(let sentence) = error { outcome.refusal = sentence }
        }
        outcome.told = told
        return outcome
    }

    private static let rows: (HTTPStatus, String) = (.ok, #"[{"id":"a"},{"id":"b"}]"#)

    @Test(arguments: [HTTPStatus.serviceUnavailable, .tooManyRequests, .internalServerError])
    func `tries again where that may help, and tells so`(_ status: HTTPStatus) async throws {
        let outcome = try await read([(status, ""), (status, ""), Self.rows])
        #expect(outcome.rows == 2 && outcome.targets.count == 3)
        #expect(outcome.told.count == 2)
        #expect(outcome.told.allSatisfy { $0.hasPrefix("status \(status.rawValue); trying again in") })
        #expect(Set(outcome.targets).count == 1)
    }

    @Test(arguments: [(HTTPStatus.internalServerError, 5), (.serviceUnavailable, 9), (.tooManyRequests, 9)])
    func `gives up after some attempts, with the answer's own words`(_ status: HTTPStatus, attempts: Int) async throws {
        let outcome = try await read([(status, #"{"error":"closed for the night"}"#)])
        #expect(outcome.targets.count == attempts && outcome.told.count == attempts - 1)
        #expect(outcome.refusal?.contains("answered \(status.rawValue): closed for the night") == true)
    }

    @Test(arguments: [
        "Content-Length: 90\r\n\r\n[{\"id\":", "Transfer-Encoding: chunked\r\n\r\n5\r\n[{\"id\r\n",
        "Content-Encoding: gzip\r\nContent-Length: 8\r\n\r\nnot gzip",
    ])
    func `tries again where an answer is cut, and says what curl says`(rest: String) async throws {
        let whole = "Content-Length: 14\r\n\r\n[{\"id\":\"one\"}]"
        let source = try RawSource([rest, whole].map { "HTTP/1.1 200 OK\r\nConnection: close\r\n\($0)" })
        defer { source.stop() }
        let outcome = try await read(port: source.port)
        #expect(outcome.rows == 1 && outcome.told.count == 1, "\(outcome)")
        #expect(outcome.told.first?.hasPrefix("curl: (") == true, "\(outcome)")
    }

    @Test(arguments: [
        // Who obeys no condition, and who orders the rows of one stamp as it comes.
        [#"{"id":"a","updatedAt":"2026-01-01T00:00:01Z"}"#, #"{"id":"b","updatedAt":"2026-01-01T00:00:02Z"}"#],
        [#"{"id":"a","updatedAt":"2026-01-01T00:00:01Z"}"#, #"{"id":"b","updatedAt":"2026-01-01T00:00:01Z"}"#],
    ])
    func `a copy from a server that obeys no query ends, and says so`(rows: [String]) async throws {
        let source = Source([(.ok, "[\(rows.joined(separator: ","))]")])
        let server = HTTPServer(handler: source)
        let port = try server.start(host: "127.0.0.1", port: 0).port
        let store = try SQLiteTableStore.open(.memory, tables: [], servesClientTables: true)
        defer {
            source.stop()
            server.stop()
        }
        let copy = try RemoteImport(of: "TodoItem", from: "http://127.0.0.1:\(port)", headers: [], token: nil)
        var refusal = ""
        do throws(CommandFault) {
            _ = try await copy.run(on: store, noting: { _ in nil }) { _ in }
        } catch {
            if case .data(let sentence) = error { refusal = sentence }
        }
        #expect(refusal.contains("doesn't obey $filter"), "\(refusal)")
        await store.close()
        #expect(source.targets.count < 6)
    }

    @Test(arguments: [HTTPStatus.unauthorized, .forbidden, .notFound])
    func `asks once where asking again is no use`(_ status: HTTPStatus) async throws {
        let outcome = try await read([(status, "no"), Self.rows])
        #expect(outcome.targets.count == 1 && outcome.told.isEmpty)
        #expect(outcome.refusal?.contains("answered \(status.rawValue): no") == true)
    }

    @Test func `asks for fewer rows where a thousand are too long an answer, and takes no longer one`() async throws {
        let long = (HTTPStatus.ok, "[" + String(repeating: " ", count: 3_000_000) + "]")
        let fewer = try await read([long, Self.rows], answerBytes: 1_000_000)
        #expect(fewer.rows == 2 && fewer.told.isEmpty)
        #expect(fewer.targets.map { $0.contains("$top=1000") } == [true, false])
        let never = try await read([long], answerBytes: 1_000_000)
        #expect(never.targets.count == 3)
        #expect(never.refusal?.contains("answers with more than 1000000 bytes") == true)
    }

    @Test func `asks for fewer rows where a server allows no thousand`() async throws {
        let refused = try await read([(.badRequest, ""), (.badRequest, ""), Self.rows])
        #expect(refused.rows == 2)
        #expect(refused.targets.map { $0.contains("$top=1000") } == [true, false, false])
        #expect(refused.targets.map { $0.contains("$top=50&") } == [false, true, false])
        #expect(!refused.targets[2].contains("$top"))
        let none = try await read([(.badRequest, "never")])
        #expect(none.targets.count == 3 && none.refusal?.contains("answered 400: never") == true)
    }

    @Test func `tries again where an answer takes too long`() async throws {
        let outcome = try await read([nil, Self.rows], answerSeconds: 1)
        #expect(outcome.rows == 2 && outcome.told.count == 1)
        #expect(outcome.told[0].contains("trying again"))
    }

    @Test func `tries again where nobody listens, and then tells why`() async throws {
        // A port that no test is given.
        let outcome = try await read(port: 1)
        #expect(outcome.told.count == 4)
        #expect(outcome.refusal?.contains("can't be read: curl: ") == true, "\(outcome.refusal ?? "")")
    }

    @Test(arguments: ["", "<html>", "{}", #"{"rows":[]}"#, "[1]", "7"])
    func `takes nothing for rows that is none`(_ body: String) async throws {
        let outcome = try await read([(.ok, body)])
        #expect(outcome.refusal != nil && outcome.targets.count == 1)
    }
}

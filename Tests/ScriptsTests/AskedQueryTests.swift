import JSONText
import OData
import TableOperations
import Testing

@testable import Scripts

@Suite struct `Conditions that a script adds` {
    private func condition(_ added: [String]) throws -> Expression? {
        var json = JSONWriter()
        json.raw(#"{"t":"ask","id":1,"k":1,"do":"execute","query":{"added":["#)
        for part in added {
            json.separate()
            json.string(part)
        }
        json.raw("]}}")
        guard case .ask(_, let ask) = WorkerMessage(try JSONReader.parse(json.bytes)),
            case .execute(let change) = ask.kind
        else { throw Unread() }
        return try ScriptQuery(nil).change(to: change.query).condition
    }

    private struct Unread: Error {}

    @Test func `hold together`() throws {
        #expect(try condition([]) == nil)
        #expect(try condition([""]) == nil)
        #expect(try condition(["n eq 1"]) != nil)
        guard case .binary(.and, _, _, _) = try condition(["n eq 1 or n eq 2", "m eq 3"]) else {
            Issue.record("no and")
            return
        }
    }

    @Test(arguments: [[" "], ["n eq 1", " "], ["n eq 1) or (n eq 2"], ["n eq 1", "m eq"]])
    func `are refused where one is none, or is no whole one`(parts: [String]) {
        #expect(throws: QueryError.self) { try condition(parts) }
    }

    @Test func `have the limits of one, however many they are`() throws {
        #expect(try condition(Array(repeating: "n eq 1", count: 200)) != nil)
        #expect(throws: QueryError.self) { try condition(Array(repeating: "n eq 1", count: 100_000)) }
    }
}

import Access
import HTTPModel
import StorageTesting
import Synchronization
import Tables
import Testing

@testable import TableOperations

@Suite struct `A write on its way to the store` {
    /// What happened, in its order.
    private final class Log: Sendable {
        let entries = Mutex<[String]>([])
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    @Test func `passes the hooks, the required columns, the store, the notice and the hooks that hear of it`()
        async throws
    {
        let log = Log()
        var hooks = TableHooks()
        hooks.beforeInsert { change in
            log.add("before \(change.values["text"] ?? .null)")
            change.values["text"] = "b"
        }
        hooks.afterInsert { row in log.add("after \(row.row["text"] ?? .null)") }
        var behaviour = TableBehaviour()
        behaviour.required = [RequiredColumn("text", message: "A text, please.")]
        let office = try Office(behaviour, hooks: hooks)
        // The hook gives what is required.
        let result = try await office.insert("1", nil)
        #expect(result.outcome == .written && result.row.records.last?["text"] == .text("b"))
        #expect(log.all == ["before \(Value.null)", "after \(Value.text("b"))"])
        #expect(office.told == ["insert 1 -"])
    }

    @Test func `ends where a hook refuses, and nothing was done or told`() async throws {
        var hooks = TableHooks()
        hooks.beforeInsert { _ in throw Refusal(.forbidden, "Pay first.") }
        hooks.beforeDelete { _ in throw CancellationError() }
        let office = try Office(hooks: hooks)
        await #expect(throws: OperationError.refused(Refusal(.forbidden, "Pay first."))) {
            try await office.insert("1")
        }
        await #expect {
            try await office.delete("1")
        } throws: { error in
            guard case OperationError.hook(let detail)? = error as? OperationError else { return false }
            return detail.hasPrefix("before delete of todo")
        }
        #expect(try await office.seen(by: .anonymous).isEmpty && office.told.isEmpty)
    }

    @Test func `is done though a hook that hears of it fails, which is reported`() async throws {
        let log = Log()
        var hooks = TableHooks()
        hooks.afterInsert { _ in throw CancellationError() }
        let office = try Office(hooks: hooks) { log.add($0) }
        #expect(try await office.insert("1").outcome == .written)
        #expect(log.all.count == 1 && log.all[0].hasPrefix("after insert of todo"))
    }

    @Test func `is refused where a column that needs a value has none`() async throws {
        var behaviour = TableBehaviour()
        behaviour.required = [RequiredColumn("text", message: "A text, please.")]
        let office = try Office(behaviour)
        for text in [nil, ""] {
            await #expect(throws: OperationError.required(message: "A text, please.")) {
                try await office.insert("1", text)
            }
        }
        _ = try await office.insert("1", "a")
        await #expect(throws: OperationError.required(message: "A text, please.")) {
            try await office.update("1", [Property("TEXT", .null)])
        }
        #expect(try await office.update("1", [Property("other", .text("x"))]).outcome == .written)
    }

    @Test(arguments: [
        (ConflictPolicy.client, "", WriteOutcome.mismatch, "a"), (.clientWins, "", .written, "b"),
        (.serverWins, "", .written, "a"), (.client, "client", .written, "b"), (.client, "serverWins", .written, "a"),
        (.clientWins, "elsewhere", .mismatch, "a"),
    ])
    func `meets another version as the table's policy says, or the parameter`(
        policy: ConflictPolicy, parameter: String, outcome: WriteOutcome, text: String
    ) async throws {
        var behaviour = TableBehaviour()
        behaviour.conflictPolicy = policy
        behaviour.takesConflictPolicy = true
        let office = try Office(behaviour)
        _ = try await office.insert("1", "a")
        let parameters = parameter.isEmpty ? [] : [WriteCall.Parameter("ConflictPolicy", parameter)]
        let result = try await office.update(
            "1", [Property("text", .text("b"))], if: .unmatchable, WriteCall(parameters: parameters))
        #expect(result.outcome == outcome && result.row.records.last?["text"] == .text(text))
        // One that sets the policy aside, as v3 does for a row that it has looked at, is told of the conflict.
        let told = try await office.update(
            "1", [Property("text", .text("c"))], if: .unmatchable, WriteCall(parameters: parameters),
            appliesConflictPolicy: false)
        #expect(told.outcome == .mismatch)
    }

    @Test func `is told of once, as what it was and by whom, and never where nothing was written`() async throws {
        let office = try Office()
        _ = try await office.insert("1", by: Office.ann)
        _ = try await office.insert("1", by: Office.bob)
        _ = try await office.update("1", [Property("text", .text("b"))], by: Office.bob)
        _ = try await office.update("1", [Property("text", .text("c"))], if: .unmatchable)
        _ = try await office.update("none", [])
        _ = try await office.delete("1")
        _ = try await office.undelete("1")
        #expect(office.told == ["insert 1 sid:ann", "update 1 sid:bob", "delete 1 -"])
    }

    @Test func `leaves hooks' own writes without hooks`() async throws {
        let log = Log()
        var hooks = TableHooks()
        hooks.afterInsert { row in
            log.add(row.row.id ?? "")
            try await row.tables["todo"].insert(["id": "2", "text": "begotten"])
        }
        let office = try Office(hooks: hooks)
        _ = try await office.insert("1")
        #expect(log.all == ["1"])
        #expect(try await office.seen(by: .anonymous) == ["1", "2"])
    }
}

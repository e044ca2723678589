import Access
import OData
import Scalars
import StorageTesting
import Synchronization
import Tables
import Testing

@testable import TableOperations

@Suite struct `Whose rows a caller sees and writes` {
    private static func owned() throws -> Office {
        var behaviour = TableBehaviour()
        behaviour.ownerColumn = "owner"
        return try Office(behaviour)
    }

    @Test func `are their own, which nobody can give away`() async throws {
        let office = try Self.owned()
        #expect(try await office.insert("1", by: Office.ann).outcome == .written)
        #expect(try await office.insert("2", by: Office.bob).outcome == .written)
        #expect(try await office.seen(by: Office.ann) == ["1"])
        #expect(try await office.seen(by: Office.master) == ["1", "2"])
        let given = try await office.update(
            "1", [Property("owner", .text("sid:bob")), Property("text", .text("b"))], by: Office.ann)
        #expect(given.row.records.last?["owner"] == .text("sid:ann"))
        #expect(given.row.records.last?["text"] == .text("b"))
    }

    @Test func `are those whose values are counted`() async throws {
        let office = try Self.owned()
        for (id, text, caller) in [("1", "a", Office.ann), ("2", "a", Office.bob), ("3", "b", Office.bob)] {
            _ = try await office.insert(id, text, by: caller)
        }
        _ = try await office.delete("3", by: Office.bob)
        let ann = try await office.values(by: Office.ann)
        #expect(ann.entries == [.init("a", 1)] && ann.isWhole)
        #expect(try await office.values(by: Office.master).entries == [.init("a", 2)])
        let all = try await office.values(by: Office.bob, includingDeleted: true)
        #expect(all.entries == [.init("a", 1), .init("b", 1)])
    }

    @Test func `are seen for the months and the hours of their lifetime together`() throws {
        let lifetime = RowLifetime(months: 1, milliseconds: 3_600_000)
        let now = try #require(Instant("2026-03-31T12:00:00Z"))
        #expect(lifetime.boundary(at: now) == Instant("2026-02-28T11:00:00Z"))
    }

    @Test func `are missing to others, whatever they do`() async throws {
        let office = try Self.owned()
        _ = try await office.insert("1", by: Office.ann)
        #expect(try await office.find("1", by: Office.bob) == nil)
        #expect(try await office.update("1", [Property("text", .text("b"))], by: Office.bob).outcome == .missing)
        #expect(try await office.delete("1", by: Office.bob).outcome == .missing)
        let taken = try await office.insert("1", by: Office.bob)
        #expect(taken.outcome == .taken && taken.row.records.isEmpty)
        #expect(try await office.find("1", by: Office.ann)?["text"] == .text("a"))
    }

    @Test func `follow the table's rule, and some are to be seen only`() async throws {
        var behaviour = TableBehaviour()
        behaviour.rule = RowRule(
            visible: try ConditionTemplate("text ne 'hidden'", option: "visible"),
            writable: try ConditionTemplate("text ne 'fixed'", option: "writable"))
        let office = try Office(behaviour)
        for (id, text) in [("1", "plain"), ("2", "fixed"), ("3", "hidden")] {
            _ = try await office.insert(id, text, by: Office.master)
        }
        #expect(try await office.seen(by: Office.ann) == ["1", "2"])
        #expect(try await office.update("3", [Property("text", .text("x"))], by: Office.ann).outcome == .missing)
        await #expect(throws: OperationError.table(.outsideScope)) {
            try await office.update("2", [Property("text", .text("x"))], by: Office.ann)
        }
        await #expect(throws: OperationError.table(.outsideScope)) {
            try await office.update("1", [Property("text", .text("fixed"))], by: Office.ann)
        }
        #expect(try await office.update("1", [Property("text", .text("y"))], by: Office.ann).outcome == .written)
    }

    @Test func `are gone when their time is over, by the clock and not by a sweep`() async throws {
        var behaviour = TableBehaviour()
        behaviour.lifetime = RowLifetime(months: 0, milliseconds: 10)
        let office = try Office(behaviour)
        _ = try await office.insert("1")
        #expect(try await office.find("1") != nil)
        office.hands.milliseconds.add(9, ordering: .relaxed)
        #expect(try await office.find("1") != nil)
        office.hands.milliseconds.add(1, ordering: .relaxed)
        #expect(try await office.find("1") == nil)
        #expect(try await office.update("1", [Property("text", .text("b"))]).outcome == .missing)
    }
}

extension Office {
    fileprivate func values(
        by caller: Principal, includingDeleted: Bool = false
    ) async throws -> (entries: [FrequentValues.Entry], isWhole: Bool) {
        let table = try #require(operations.table(named: "todo"))
        guard case .read(let admitted) = try operations.admit(caller, to: .read, of: table) else {
            return ([], false)
        }
        return try await operations.frequentValues(of: "text", includingDeleted: includingDeleted, in: admitted)
    }
}

import StorageTesting
import Synchronization
import Tables
import Testing

/// Callers that write rows without end, and what they were told.
final class WriteLoad: Sendable {
    private struct Answers {
        var written: [String: RecordedRows] = [:]
        var failed: Set<String> = []
        var faults: [String] = []
    }

    private let store: any TableStore
    private let name: String
    private let table: Table
    private let answers = Mutex(Answers())
    private let isOver = Atomic(false)

    /// - Parameters:
    ///   - store: has a table `Item` with a text column.
    ///   - name: what all ids begin with.
    init(_ store: any TableStore, name: String = "a") throws {
        self.store = store
        self.name = name
        table = try #require(store.table(named: "Item"))
    }

    var written: Int { answers.withLock { $0.written.count } }
    var failed: Int { answers.withLock { $0.failed.count } }

    func stop() {
        isOver.store(true, ordering: .relaxed)
    }

    /// Inserts and updates rows until it is stopped. Every id is inserted once, so that an answer that it is taken
    /// would mean that a write was repeated that had been done.
    func run(callers: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for caller in 0..<callers {
                group.addTask { [self] in
                    var number = 0
                    while !isOver.load(ordering: .relaxed) {
                        number += 1
                        await insert("\(name) \(caller) \(number)")
                    }
                }
            }
        }
    }

    private func insert(_ id: String) async {
        do {
            let result = try await store.insert(
                [Property("text", .text(id))], id: .text(id), in: table, into: RecordedRows())
            answers.withLock { answers in
                if result.outcome == .written {
                    answers.written[id] = result.row
                } else {
                    answers.faults.append("\(id): \(result.outcome)")
                }
            }
        } catch {
            answers.withLock { answers in
                // It may be there, or not.
                if case .doubtful = error { return }
                answers.failed.insert(id)
                if case .unavailable(let detail) = error {
                    if detail.contains("not known") { answers.faults.append("\(id): \(detail)") }
                } else {
                    answers.faults.append("\(id): \(error)")
                }
            }
            try? await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Expects that every acknowledged row is there as it was answered, that no refused one is, and that no version
    /// or stamp was given twice.
    /// - Parameter isAlone: whether nobody else wrote to the table.
    func check(isAlone: Bool = true) async throws {
        let answers = answers.withLock { $0 }
        #expect(answers.faults.isEmpty, "\(answers.faults.prefix(3))")
        let page = try await store.list(TableQuery(limit: 1_000_000), in: table, into: RecordedRows())
        var found: [String: [String: Cell]] = [:]
        for row in page.rows.rows {
            guard case .text(let id) = row["id"] else { continue }
            found[id] = row
        }
        if isAlone { #expect(found.count == answers.written.count) }
        for (id, row) in answers.written { #expect(found[id] == row.row) }
        #expect(answers.failed.allSatisfy { found[$0] == nil })
        let rows = Array(answers.written.values)
        #expect(Set(rows.compactMap(\.version)).count == rows.count)
        #expect(Set(rows.compactMap(\.updatedAt)).count == rows.count)
        let byVersion = rows.sorted { ($0.version?.counter ?? 0) < ($1.version?.counter ?? 0) }
        let stamps = byVersion.compactMap(\.updatedAt)
        #expect(stamps == stamps.sorted())
    }
}

import Access
import HTTPModel
import Scalars
import Synchronization
import Tables

@testable import StorageTesting
@testable import TableOperations

/// Table operations over the reference store, with a clock that stands still until it is moved.
struct Office {
    /// What those who learn of writes were told.
    final class Notices: WriteNotices {
        let taken = Mutex<[String]>([])

        func wants(_ operation: Operation, of table: Identifier) -> Bool { operation != .undelete }

        func take(_ notice: WriteNotice) {
            taken.withLock { $0.append("\(notice.operation.rawValue) \(notice.row.id ?? "") \(notice.userID ?? "-")") }
        }
    }

    /// Milliseconds since 1970 that the clock shows.
    final class Hands: Sendable {
        let milliseconds = Atomic<Int64>(1_000_000)
    }

    let operations: TableOperations
    let table: Table
    let notices = Notices()
    let hands = Hands()

    static let ann = Principal.user(Principal.User(id: "sid:ann"))
    static let bob = Principal.user(Principal.User(id: "sid:bob"))
    static let master = Principal.admin(nil)

    init(
        _ behaviour: TableBehaviour = TableBehaviour(), access: AccessRules = AccessRules(),
        hooks: TableHooks? = nil, report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        let name: Identifier = "todo"
        var definition = TableDefinition(name: name)
        definition.rules.softDelete = true
        let store = try ReferenceStore([definition]) { [hands] in
            Instant(milliseconds: hands.milliseconds.load(ordering: .relaxed))
        }
        operations = TableOperations(
            store: store, access: [name: access], behaviours: [name: behaviour], notices: notices,
            hooks: hooks.map { [name: $0] } ?? [:], report: report,
            clock: { [hands] in Instant(milliseconds: hands.milliseconds.load(ordering: .relaxed)) })
        guard let table = operations.table(named: "TODO") else { throw TableError.definition("todo") }
        self.table = table
    }

    private func current() -> Table { operations.table(named: "todo") ?? table }

    func insert(
        _ id: String, _ text: String? = "a", by caller: Principal = .anonymous
    ) async throws -> WriteResult<VisitedRecords> {
        guard case .insert(let admitted) = try operations.admit(caller, to: .insert, of: current()) else {
            throw Wrong()
        }
        let values = text.map { [Property("text", .text($0))] } ?? []
        return try await perform(.insert(values, id: .text(id), in: admitted))
    }

    func update(
        _ id: String, _ properties: [Property], if precondition: Precondition = .none,
        by caller: Principal = .anonymous, _ call: WriteCall = WriteCall(), appliesConflictPolicy: Bool = true
    ) async throws -> WriteResult<VisitedRecords> {
        guard case .update(let admitted) = try operations.admit(caller, to: .update, of: current()) else {
            throw Wrong()
        }
        var write = TableWrite.update(.text(id), RowUpdate(properties), if: precondition, in: admitted, call)
        write.appliesConflictPolicy = appliesConflictPolicy
        return try await perform(write)
    }

    func delete(_ id: String, by caller: Principal = .anonymous) async throws -> WriteResult<VisitedRecords> {
        guard case .delete(let admitted) = try operations.admit(caller, to: .delete, of: current()) else {
            throw Wrong()
        }
        return try await perform(.delete(.text(id), in: admitted))
    }

    func undelete(_ id: String, by caller: Principal = .anonymous) async throws -> WriteResult<VisitedRecords> {
        guard case .undelete(let admitted) = try operations.admit(caller, to: .undelete, of: current()) else {
            throw Wrong()
        }
        return try await perform(.undelete(.text(id), in: admitted))
    }

    private func perform(_ write: TableWrite) async throws -> WriteResult<VisitedRecords> {
        try own(await operations.perform(write, into: VisitedRecords()))
    }

    /// What an operation gave, which no script stands around here.
    private func own<Result>(_ answer: OperationAnswer<Result>) throws -> Result {
        guard case .result(let result) = answer else { throw Wrong() }
        return result
    }

    /// The ids that a caller sees, in their order.
    func seen(by caller: Principal, includeDeleted: Bool = false) async throws -> [String] {
        guard case .read(let admitted) = try operations.admit(caller, to: .read, of: current()) else { throw Wrong() }
        var query = TableQuery(limit: 100)
        query.includeDeleted = includeDeleted
        let page = try own(await operations.list(query, in: admitted, into: VisitedRecords()))
        return page.rows.records.compactMap(\.id)
    }

    func find(_ id: String, by caller: Principal = .anonymous) async throws -> Record? {
        guard case .read(let admitted) = try operations.admit(caller, to: .read, of: current()) else { throw Wrong() }
        let found = try await operations.find(
            .text(id), in: admitted, select: nil, includeDeleted: false, into: VisitedRecords())
        return try own(found)?.records.last
    }

    var told: [String] { notices.taken.withLock { $0 } }

    /// An admission to something else than what was asked for.
    struct Wrong: Error {}
}

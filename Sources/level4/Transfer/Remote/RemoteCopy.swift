import JSONText
import Operating
import Scalars
import Tables

/// One run of a copy.
struct RemoteCopy {
    private let name: Identifier
    private var source: RemoteTable
    private let store: any TransferStore
    private let tell: (String) -> Void
    /// The local table; nil until the type of its ids is known.
    private var table: Table?
    private var counts = ImportCounts()
    /// The latest stamp reached.
    private var stamp: Instant?
    private var read: Int64 = 0
    /// The rows with that stamp that this run has read.
    private var seen: Set<RowID> = []

    init(
        _ name: Identifier, _ source: RemoteTable, _ store: any TransferStore, _ tell: @escaping (String) -> Void
    ) {
        self.name = name
        self.source = source
        self.store = store
        self.tell = tell
        table = store.table(named: name)
    }

    mutating func run() async throws(CommandFault) {
        try await goOn()
        while true {
            let rows = try await rows(at: .stamps(from: stamp))
            let new = rows.filter { $0.updatedAt != stamp || !seen.contains($0.id) }
            if !new.isEmpty {
                try await take(new)
                continue
            }
            guard let last = stamp, !rows.isEmpty else { return }
            // The page may be full of rows with one stamp: further ones are found by their ids.
            try await drain(last)
            let next = last.next
            let rest = try await self.rows(at: .stamps(from: next))
            if rest.isEmpty { return }
            try await take(rest)
        }
    }

    /// Looks up how far an earlier run got.
    private mutating func goOn() async throws(CommandFault) {
        guard let table else { return }
        let progress = try await CommandFault.asking(await store.transferProgress(of: table, from: source.address))
        guard let progress else { return }
        stamp = Instant(progress.position)
        read = progress.rowCount
        tell("\(name): going on behind \(read) rows, from \(progress.position)")
    }

    private mutating func drain(_ last: Instant) async throws(CommandFault) {
        var first: RowID?
        var begun: Set<RowID> = []
        while true {
            let rows = try await rows(at: .ids(of: last, from: first))
            let new = rows.filter { !seen.contains($0.id) }
            if !new.isEmpty { try await take(new) }
            guard let next = rows.last?.id, next != first || rows.count > 1 else { return }
            // From that id on, the last row has that same id only if there is no other.
            guard next != first, begun.insert(next).inserted else { throw disobedience }
            first = next
        }
    }

    private var disobedience: CommandFault {
        .data("\(source.address) answers the same rows again and again: it doesn't obey $filter or $orderby")
    }

    /// Whether a row belongs to a place: with a server that ignores conditions, a copy would never end.
    private static func isFrom(_ place: RemoteTable.Place, _ row: ImportRow) -> Bool {
        guard let stamp = row.updatedAt else { return false }
        return switch place {
        case .stamps(let first): first.map { stamp >= $0 } ?? true
        case .ids(let only, _): stamp == only
        }
    }

    private mutating func rows(at place: RemoteTable.Place) async throws(CommandFault) -> [ImportRow] {
        let items = try await source.rows(at: place, tell: tell)
        guard let first = items.first else { return [] }
        let table = try await table(for: first)
        var maker = RowBuilder(table, namedAsHere: true)
        var rows: [ImportRow] = []
        for item in items {
            let cells = item.map { TransferReader.Cell(name: $0.name, value: .json($0.value)) }
            do throws(RowBuilder.Fault) {
                let row = try maker.row(cells, lenient: true)
                guard row.updatedAt != nil else {
                    throw RowBuilder.Fault(sentence: "has no updatedAt, so no copy can go on by it")
                }
                rows.append(row)
            } catch {
                let id = item.first { $0.name == "id" }.map { "\($0.value)" } ?? "without an id"
                throw .data("\(source.address): the row \(id) \(error.sentence)")
            }
        }
        guard rows.allSatisfy({ Self.isFrom(place, $0) }) else { throw disobedience }
        newColumns = maker.newColumns
        return rows
    }

    private var newColumns: [Column] = []

    /// Returns the local table, created to fit the first row if the configuration has none.
    private mutating func table(for row: [JSONMember]) async throws(CommandFault) -> Table {
        if let table = store.table(named: name) {
            self.table = table
            return table
        }
        var definition = TableDefinition(name: name)
        definition.rules.softDelete = true
        if case .integer = row.first(where: { $0.name.lowercased() == "id" })?.value {
            definition.rules.autoIncrement = true
        }
        let made = try await CommandFault.asking(await store.createTable(definition))
        table = made
        return made
    }

    /// Writes rows that were read in order, and records how far the copy has come.
    private mutating func take(_ rows: [ImportRow]) async throws(CommandFault) {
        guard let table, let last = rows.compactMap(\.updatedAt).max() else { return }
        let reached = stamp.map { max($0, last) } ?? last
        guard reached != stamp || rows.contains(where: { !seen.contains($0.id) }) else { throw disobedience }
        let progress = TransferProgress(
            source: source.address, position: reached.wireText,
            rowCount: min(read, .max - Int64(rows.count)) + Int64(rows.count))
        let batch = ImportBatch(rows: rows, columns: newColumns, rule: .newer, progress: progress)
        let outcome = try await CommandFault.asking(await store.importRows(batch, into: table))
        if case .written(let more) = outcome { counts += more }
        if reached != stamp { seen = [] }
        seen.formUnion(rows.filter { $0.updatedAt == reached }.map(\.id))
        stamp = reached
        read = progress.rowCount
        tell("\(name): \(read) rows read, through \(reached.wireText)")
    }

    func lines(noting note: (Table) -> String?) -> [String] {
        guard let table else { return ["\(name): the table is empty there; nothing was made here"] }
        return ["\(name): \(counts.sentence)"] + [note(table)].compactMap(\.self)
    }
}

package import Operating
package import Tables

/// `zumod import FILE…`: writes rows of files into the database.
///
/// Each file is read to its end and checked before anything is written. The rows are then written in transactions of
/// some hundred each, so that servers of the database can write in between.
public struct TableImport: Sendable {
    /// The options of the command line.
    public struct Options: Sendable {
        /// Whether existing rows stay unchanged.
        public var skipsExisting = false
        /// Whether existing rows are replaced. With neither option, such a row stops the command before any write.
        public var replacesExisting = false
        /// Whether every row gets a new version and stamp.
        public var renews = false
        /// The table of files that don't name theirs; nil to use the file's name.
        public var table: String?
        /// Whether to check files and database without writing anything.
        public var isTrial = false

        /// Creates the defaults.
        public init() {}

        var rule: ExistingRowRule { skipsExisting ? .skip : replacesExisting ? .replace : .refuse }
    }

    private let files: [String]
    private let options: Options

    /// The maximum number of rows and of cells per transaction.
    private static let batchRows = 500
    private static let batchCells = 20_000

    /// Whether nothing may be written.
    package var isTrial: Bool { options.isTrial }

    /// Creates an import of files.
    public init(files: [String], options: Options) {
        self.files = files
        self.options = options
    }

    /// Imports the files, one after another.
    /// - Parameters:
    ///   - note: returns what the operator still has to do for a table that was written.
    ///   - tell: called with a line for each table, and with notes.
    package func run(
        on store: any TransferStore, _ users: any UserStore, noting note: (Table) -> String?, tell: (String) -> Void
    ) async throws(CommandFault) {
        let parts = try files.map { file throws(CommandFault) in (file, try UserImport(of: reader(of: file))) }
        var ids = RepeatedIDs()
        for (file, part) in parts {
            if let part {
                _ = try await part.additions(to: users, options)
            } else {
                try await check(file, &ids, on: store)
            }
        }
        if ids.findSuspects() { try refuseRepeated(&ids, on: store) }
        if options.isTrial {
            tell("nothing is wrong; nothing was written")
        } else {
            for (file, part) in parts {
                if let part {
                    tell(try await part.write(to: users, options))
                } else {
                    try await write(file, on: store, note, tell)
                }
            }
        }
    }

    /// Returns the tables that the files may be for.
    package func tableNames() throws(CommandFault) -> Set<Identifier> {
        var names: Set<Identifier> = []
        for file in files {
            names.formUnion([Identifier(ImportPart.tableName(of: file, options.table))].compactMap(\.self))
            names.formUnion(try TransferReader.headers(of: file).map(\.name))
        }
        return names
    }

    private func reader(of file: String) throws(CommandFault) -> TransferReader {
        try TransferReader(file, format: TransferFormat(ofFileNamed: file))
    }

    /// Reads a file to its end and reports what can't be imported.
    private func check(
        _ file: String, _ repeated: inout RepeatedIDs, on store: any TransferStore
    ) async throws(CommandFault) {
        var reader = try reader(of: file)
        var part: ImportPart?
        var rows = 0
        var ids: [(id: RowID, line: Int)] = []
        while let item = try reader.next() {
            switch item {
            case .note(.table(let header)):
                guard part == nil || part?.isComplete == true else {
                    throw reader.fault("the rows before it have no end")
                }
                try await refuseTaken(&ids, of: part, reader, on: store)
                part = try ImportPart(header, among: store, reader)
                rows = 0
            case .note(.end(let table, let count)):
                guard part?.header != nil, rows == count, part?.table.name == Identifier(table) else {
                    throw reader.fault("the export of \(table) had \(count) rows, and \(rows) are here")
                }
                part?.isComplete = true
            case .note(.user), .note(.formerUser), .note(.usersEnd): throw UserImport.misplaced(reader)
            case .row(let cells):
                if part == nil { part = try ImportPart(tableOf: file, options.table, among: store, reader) }
                guard part?.isComplete == false else { throw reader.fault("is a row behind its table's end") }
                rows += 1
                let line = reader.line
                if let row = try part?.row(cells, reader) {
                    ids.append((row.id, line))
                    if let table = part?.table, canRepeat(row, in: table) { repeated.note(row.id, of: table.name) }
                }
                if ids.count >= Self.batchRows { try await refuseTaken(&ids, of: part, reader, on: store) }
            }
        }
        try await refuseTaken(&ids, of: part, reader, on: store)
        guard let part else { throw .data("\(file) holds no rows") }
        if part.header != nil, !part.isComplete {
            throw .data("\(file) was cut off: the end of table \(part.table.name) is missing")
        }
    }

    /// Whether a row would be refused if another one had its id: with the other rules the options say which one
    /// counts, and a tombstone may be left out.
    private func canRepeat(_ row: ImportRow, in table: Table) -> Bool {
        options.rule == .refuse && (table.rules.softDelete || !row.isDeleted)
    }

    /// Reads the files once more, to say which id they have twice, and where.
    private func refuseRepeated(_ ids: inout RepeatedIDs, on store: any TransferStore) throws(CommandFault) {
        for file in files {
            var reader = try reader(of: file)
            var part: ImportPart?
            while let item = try reader.next() {
                switch item {
                case .note(.table(let header)): part = try ImportPart(header, among: store, reader)
                case .note: continue
                case .row(let cells):
                    if part == nil { part = try ImportPart(tableOf: file, options.table, among: store, reader) }
                    guard let row = try part?.row(cells, reader), let table = part?.table, canRepeat(row, in: table)
                    else { continue }
                    let place = "\(file):\(reader.line)"
                    if let first = ids.place(before: place, of: row.id, in: table.name) {
                        throw reader.fault(
                            "has the id \(row.id.text), as has the row at \(first); with --skip-existing the first of "
                                + "them counts, with --replace the last")
                    }
                }
            }
        }
    }

    private func refuseTaken(
        _ ids: inout [(id: RowID, line: Int)], of part: ImportPart?, _ reader: TransferReader,
        on store: any TransferStore
    ) async throws(CommandFault) {
        defer { ids = [] }
        guard options.rule == .refuse, !ids.isEmpty, let part, !part.isNew else { return }
        let taken = try await CommandFault.asking(await store.firstTaken(of: ids.map(\.id), in: part.known))
        if let taken { throw .data("\(reader.path):\(ids[taken].line): \(Self.taken(ids[taken].id))") }
    }

    private static func taken(_ id: RowID) -> String {
        "the table has a row with the id \(id.text) already; --skip-existing keeps such rows, --replace puts these in their place"
    }

    private func write(
        _ file: String, on store: any TransferStore, _ note: (Table) -> String?, _ tell: (String) -> Void
    ) async throws(CommandFault) {
        var reader = try reader(of: file)
        var writing: ImportWriting?
        while let item = try reader.next() {
            switch item {
            case .note(.table(let header)):
                let part = try ImportPart(header, among: store, reader)
                writing = try await ImportWriting(part, options, on: store)
            case .note(.end):
                try await writing?.finish(reader, note, tell)
                writing = nil
            case .note(.user), .note(.formerUser), .note(.usersEnd): throw UserImport.misplaced(reader)
            case .row(let cells):
                if writing == nil {
                    let part = try ImportPart(tableOf: file, options.table, among: store, reader)
                    writing = try await ImportWriting(part, options, on: store)
                }
                try await writing?.add(cells, reader)
            }
        }
        try await writing?.finish(reader, note, tell)
    }

    /// The rows of one table while they are being written.
    private struct ImportWriting {
        private var part: ImportPart
        private let options: Options
        private let store: any TransferStore
        private var table: Table
        private var rows: [ImportRow] = []
        private var lines: [Int] = []
        private var cells = 0
        private var counts = ImportCounts()

        init(_ part: ImportPart, _ options: Options, on store: any TransferStore) async throws(CommandFault) {
            self.part = part
            self.options = options
            self.store = store
            table = try await CommandFault.asking(await part.make(in: store))
        }

        mutating func add(_ row: [TransferReader.Cell], _ reader: TransferReader) async throws(CommandFault) {
            rows.append(try part.row(row, reader))
            lines.append(reader.line)
            cells += row.count
            if rows.count >= TableImport.batchRows || cells >= TableImport.batchCells { try await flush(reader) }
        }

        private mutating func flush(_ reader: TransferReader) async throws(CommandFault) {
            let batch = ImportBatch(
                rows: rows, columns: part.newColumns, rule: options.rule, renews: options.renews,
                marks: part.header?.marks ?? TransferMarks())
            let outcome: ImportOutcome
            do throws(TableError) {
                outcome = try await store.importRows(batch, into: table)
            } catch {
                throw .application(StartFault(error).adding(rest))
            }
            switch outcome {
            case .written(let more): counts += more
            case .taken(let index):
                throw .data("\(reader.path):\(lines[index]): \(TableImport.taken(rows[index].id))\(rest)")
            }
            rows = []
            lines = []
            cells = 0
        }

        /// What operators have to know about rows that have been written already.
        private var rest: String {
            let written = counts.inserted + counts.replaced
            guard written > 0 else { return "" }
            return "; \(written) rows before it were written, and --skip-existing goes on behind them"
        }

        mutating func finish(
            _ reader: TransferReader, _ note: (Table) -> String?, _ tell: (String) -> Void
        ) async throws(CommandFault) {
            // Even without rows, because of the marks in the header.
            if !rows.isEmpty || part.header != nil { try await flush(reader) }
            tell("\(table.name): \(counts.sentence)")
            if let note = note(table) { tell(note) }
        }
    }
}

extension ImportCounts {
    /// `12 rows inserted, 3 replaced`.
    var sentence: String {
        var parts = ["\(inserted) \(inserted == 1 ? "row" : "rows") inserted"]
        if replaced > 0 { parts.append("\(replaced) replaced") }
        if skipped > 0 { parts.append("\(skipped) there already") }
        if tombstonesLeftOut > 0 {
            parts.append("\(tombstonesLeftOut) tombstones left out, since the table keeps none")
        }
        if movedStamps > 0 { parts.append("\(movedStamps) with a later stamp, since another row had theirs") }
        return parts.joined(separator: ", ")
    }
}

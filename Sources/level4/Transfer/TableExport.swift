import Foundation
package import Operating
package import Tables

/// `zumod export`: complete rows of tables, including tombstones, and the users, as of a single moment, from a database
/// that may be written to in the meantime.
public struct TableExport: Sendable {
    private let wanted: [String]
    private let format: TransferFormat
    private let output: String?

    /// How many rows are held in memory at a time.
    private static let pageSize = 500

    /// - Parameters:
    ///   - tables: the names of tables, in any case; empty for all tables.
    ///   - output: a file, or a folder for one file per table; nil for standard output.
    public init(tables: [String], format: TransferFormat, output: String?) {
        wanted = tables
        self.format = format
        self.output = output
    }

    /// Writes the rows.
    package func run(on snapshot: any TableSnapshot) async throws(CommandFault) -> ExportReport {
        let contents = try await CommandFault.asking(await snapshot.contents())
        let tables = try chosen(of: contents)
        let users = try await CommandFault.asking(await snapshot.userRecords())
        let writesUsers = wanted.isEmpty && isFolder
        let written = writesUsers ? users : UserRecords()
        var report = ExportReport(lines: try await write(tables, written, from: snapshot))
        if !writesUsers { report.notes += users.missingNote }
        for table in tables {
            if !table.unserved.isEmpty {
                let columns = table.unserved.joined(separator: ", ")
                report.notes.append("\(table.table.name): WITHOUT \(columns), which the server can't read")
            }
            for values in try await CommandFault.asking(await snapshot.lostValues(of: table.table)) {
                let words = "\(values.description), \(values.fault.exported): \(values.places)"
                if values.fault == .finer {
                    report.notes.append("\(table.table.name): \(values.field.name) has \(words)")
                } else {
                    report.losses.append("\(table.table.name): NOT whole: \(values.field.name) has \(words)")
                }
            }
        }
        let away = wanted.isEmpty ? contents.away : []
        report.losses += away.map { "\($0): NOT exported: \(TableError.away($0).detail)" }
        return report
    }

    /// - Returns: one line per table.
    private func write(
        _ tables: [SnapshotTable], _ users: UserRecords, from snapshot: any TableSnapshot
    ) async throws(CommandFault) -> [String] {
        guard isFolder else {
            guard format == .jsonl || tables.count == 1 else {
                throw .usage("a csv file holds one table: name it with --table, or name a folder with --output DIR/")
            }
            let file = try OutputFile.begin(output)
            var lines: [String] = []
            for table in tables { lines.append(try await write(table, from: snapshot, to: file)) }
            try file.publish()
            return lines
        }
        let folder = (output ?? ".").hasSuffix("/") ? String((output ?? ".").dropLast()) : output ?? "."
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        } catch {
            throw .file("the folder \(folder) can't be made")
        }
        // Checked before the first is written, so that a second run into the same folder changes nothing.
        let paths = tables.map { "\(folder)/\($0.table.name).\(format.rawValue)" }
        let usersPath = "\(folder)/\(UserRecords.fileName).\(format.rawValue)"
        for path in paths + (users.isEmpty ? [] : [usersPath]) { try OutputFile.refuseExisting(path) }
        var lines: [String] = []
        for (table, path) in zip(tables, paths) {
            let file = try OutputFile.begin(path)
            let line = try await write(table, from: snapshot, to: file)
            try file.publish()
            lines.append("\(line) to \(path)")
        }
        guard !users.isEmpty else { return lines }
        let file = try OutputFile.begin(usersPath)
        try file.write(users.lines(as: format))
        try file.publish()
        return lines + ["users: \(users.users.count) to \(usersPath), with their password hashes"]
    }

    private var isFolder: Bool {
        guard let output else { return false }
        let attributes = try? FileManager.default.attributesOfItem(atPath: output)
        return output.hasSuffix("/") || attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private func chosen(of contents: SnapshotContents) throws(CommandFault) -> [SnapshotTable] {
        let tables = contents.tables
        guard !wanted.isEmpty else {
            if tables.isEmpty, let away = contents.away.first { throw .data(TableError.away(away).detail) }
            if tables.isEmpty { throw .data("the database has no tables yet") }
            return tables
        }
        var chosen: [SnapshotTable] = []
        for name in wanted {
            guard let table = tables.first(where: { $0.table.name == Identifier(name) }) else {
                let away = contents.away.first { $0 == Identifier(name) }
                throw .data(away.map { TableError.away($0).detail } ?? "the database has no table \(name)")
            }
            if !chosen.contains(where: { $0.table.name == table.table.name }) { chosen.append(table) }
        }
        return chosen
    }

    private func write(
        _ entry: SnapshotTable, from snapshot: any TableSnapshot, to file: borrowing OutputFile
    ) async throws(CommandFault) -> String {
        let count =
            switch format {
            case .jsonl: try await write(entry, snapshot, file, as: JSONRowLines.self)
            case .csv: try await write(entry, snapshot, file, as: CSVRowLines.self)
            }
        return "\(entry.table.name): \(count) \(count == 1 ? "row" : "rows")"
    }

    private func write<Lines: RowLines>(
        _ entry: SnapshotTable, _ snapshot: any TableSnapshot, _ file: borrowing OutputFile, as type: Lines.Type
    ) async throws(CommandFault) -> Int {
        let table = entry.table
        try file.write(Lines.opening(TransferHeader(entry), table.fields))
        var count = 0
        var cursor: PageCursor?
        var hasMore = true
        while hasMore {
            let page = try await CommandFault.asking(
                await snapshot.page(of: table, after: cursor, limit: Self.pageSize, into: Lines(table.fields)))
            try file.write(page.rows.bytes)
            count += page.rowCount
            hasMore = page.hasMore
            cursor = page.cursor
            if hasMore, cursor == nil {
                throw .data(
                    "table \(table.name): the id of row \(count) is no text, so the rows behind it can't be found")
            }
        }
        try file.write(Lines.closing(.end(table: table.name.text, rows: count)))
        return count
    }
}

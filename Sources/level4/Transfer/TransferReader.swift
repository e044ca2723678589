import JSONText
import Operating
import Tables

/// Reads the rows and notes of a file, one after another.
struct TransferReader {
    /// A part of a file.
    enum Item {
        case note(TransferNote)
        case row([Cell])
    }

    /// A member of a row.
    struct Cell {
        let name: String
        let value: FileValue

        /// A value as written in the file.
        enum FileValue {
            case json(JSONValue)
            /// Text of unknown type; nil for null.
            case text(String?)
        }
    }

    let path: String
    /// The number of the line at which the last item began, from 1.
    private(set) var line = 0
    private let bytes: FileBytes
    private let format: TransferFormat
    private var nextLine = 1
    /// The columns of the following records; nil before the header.
    private var names: [String]?
    /// Whether an export wrote the records, rather than another program.
    private var isExport = false

    /// A field of a record.
    private struct Field {
        /// Nil if the field is empty and has no quotes.
        let text: String?
        let isQuoted: Bool
    }

    private let longestRow: Int

    /// The maximum length of a row in bytes, without its line ending: a row is held in memory.
    static let longestRow = 64 << 20

    /// - Throws: `file` if the file can't be read.
    init(_ path: String, format: TransferFormat, longestRow: Int = longestRow) throws(CommandFault) {
        self.path = path
        self.format = format
        self.longestRow = longestRow
        bytes = try FileBytes(path)
        // Spreadsheets start files with a byte order mark.
        if format == .csv { try bytes.skip([0xEF, 0xBB, 0xBF]) }
        if try bytes.isUTF16 {
            throw .data("\(path) is UTF-16: convert it first, with iconv -f UTF-16 -t UTF-8")
        }
    }

    /// Returns what a file says of its tables if an export wrote it, without reading the rows.
    static func headers(of path: String) throws(CommandFault) -> [TransferHeader] {
        var headers: [TransferHeader] = []
        let (bytes, mark) = (try FileBytes(path), Array(TransferFormat.csvNote.utf8))
        while let line = try bytes.line(limit: longestRow) {
            let text = line.starts(with: mark) ? line.dropFirst(mark.count) : line[...]
            if text.starts(with: Array(#"{"zumod""#.utf8)), let value = try? JSONReader.parse(Array(text)),
                case .object(let members) = value, case .table(let header)? = TransferNote(members)
            {
                headers.append(header)
            }
            if headers.isEmpty { break }
        }
        return headers
    }

    /// Returns a fault of the item that was read last.
    func fault(_ sentence: String) -> CommandFault {
        .data("\(path):\(line): \(sentence)")
    }

    /// Returns the next item; nil at the end.
    mutating func next() throws(CommandFault) -> Item? {
        while true {
            line = nextLine
            switch format {
            case .jsonl:
                guard let text = try textLine() else { return nil }
                nextLine += 1
                if text.allSatisfy({ $0 == 32 || $0 == 9 }) { continue }
                return try item(json: text)
            case .csv:
                if try bytes.peek() == UInt8(ascii: "#") {
                    guard let text = try textLine() else { return nil }
                    nextLine += 1
                    // What PowerShell's Export-Csv writes first.
                    if names == nil, text.starts(with: Array("#TYPE ".utf8)) { continue }
                    return try note(csv: text)
                }
                guard let record = try record() else { return nil }
                if record.count == 1, record[0].text == nil { continue }
                guard let names else {
                    names = record.map { $0.text ?? "" }
                    continue
                }
                guard record.count == names.count else {
                    throw fault("has \(record.count) values for \(names.count) columns")
                }
                let cells = zip(names, record).map { Cell(name: $0, value: .text(isNull($1) ? nil : $1.text)) }
                if names.contains(where: { $0.lowercased() == "id" }) { return .row(cells) }
                let id = RandomID.make(for: record.map(\.text), at: line, of: path)
                return .row([Cell(name: "id", value: .text(id))] + cells)
            }
        }
    }

    /// In files of other programs, `NULL` without quotes is null too: SQL Server's tools write it.
    private func isNull(_ field: Field) -> Bool { !isExport && !field.isQuoted && field.text == "NULL" }

    /// Returns a line; nil at the end.
    private func textLine() throws(CommandFault) -> [UInt8]? {
        guard let text = try bytes.line(limit: longestRow) else { return nil }
        guard text.count <= longestRow else { throw tooLong }
        return text
    }

    private var tooLong: CommandFault { fault("is longer than \(longestRow) bytes") }

    private func item(json text: [UInt8]) throws(CommandFault) -> Item {
        let members = try object(text)
        if let note = TransferNote(members) { return .note(note) }
        guard members.first?.name != "zumod" || members.contains(where: { $0.name.lowercased() == "id" }) else {
            throw fault("is a note of an export that this version can't read")
        }
        return .row(members.map { Cell(name: $0.name, value: .json($0.value)) })
    }

    private mutating func note(csv text: [UInt8]) throws(CommandFault) -> Item {
        let mark = Array(TransferFormat.csvNote.utf8)
        guard text.starts(with: mark), let note = TransferNote(try object(Array(text.dropFirst(mark.count)))) else {
            throw fault("is a note of an export that this version can't read")
        }
        if case .table = note { (names, isExport) = (nil, true) }
        return .note(note)
    }

    private func object(_ text: [UInt8]) throws(CommandFault) -> [JSONMember] {
        let value: JSONValue
        do throws(JSONError) {
            value = try JSONReader.parse(text, loneSurrogates: .replaced)
        } catch {
            throw fault("is not JSON, see column \(error.offset + 1)")
        }
        guard case .object(let members) = value else { throw fault("has to be one JSON object, a row") }
        return members
    }

    /// Reads a record by RFC 4180; nil at the end. An empty field without quotes is null.
    private mutating func record() throws(CommandFault) -> [Field]? {
        guard try bytes.peek() != nil else { return nil }
        var record: [Field] = []
        var value: [UInt8] = []
        var wasQuoted = false
        var size = 0
        func field() throws(CommandFault) -> Field {
            if value.isEmpty, !wasQuoted { return Field(text: nil, isQuoted: false) }
            guard let text = String(validating: value, as: UTF8.self) else { throw fault("is not UTF-8") }
            if value.contains(0) { throw fault("holds the character U+0000, which can't be stored") }
            return Field(text: text, isQuoted: wasQuoted)
        }
        while true {
            let byte = try bytes.next()
            guard let byte, byte != 10 else {
                record.append(try field())
                nextLine += 1
                return record
            }
            if byte == 13, try bytes.peek() == 10 { continue }
            size += 1
            guard size <= longestRow else { throw tooLong }
            switch byte {
            case UInt8(ascii: "\"") where value.isEmpty && !wasQuoted:
                wasQuoted = true
                value = try quoted(&size)
            case UInt8(ascii: "\""):
                throw fault("has a quote inside a value; such a value stands in quotes, its own doubled")
            case UInt8(ascii: ","):
                record.append(try field())
                value = []
                wasQuoted = false
            default:
                if wasQuoted { throw fault("has text behind a closing quote") }
                value.append(byte)
            }
        }
    }

    private mutating func quoted(_ size: inout Int) throws(CommandFault) -> [UInt8] {
        var value: [UInt8] = []
        while true {
            size += 1
            guard size <= longestRow else { throw tooLong }
            guard let byte = try bytes.next() else { throw fault("ends inside quotes") }
            if byte == UInt8(ascii: "\"") {
                guard try bytes.peek() == byte else { return value }
                _ = try bytes.next()
                size += 1
            }
            if byte == 10 { nextLine += 1 }
            value.append(byte)
        }
    }
}

extension RandomID {
    /// Creates the id of a record that has none. It is the same every time its file is read, so that an interrupted
    /// import can be repeated.
    fileprivate static func make(for record: [String?], at line: Int, of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        let text = ([name, String(line)] + record.map { $0.map { "\($0.utf8.count):\($0)" } ?? "-" }).joined(
            separator: ",")
        // FNV-1a, forwards and backwards: nothing depends on an attacker being unable to create collisions.
        func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
            bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        }
        return make(hash(text.utf8), hash(text.utf8.reversed()))
    }
}

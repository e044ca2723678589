import JSONText
import Tables

/// Writes the rows that a snapshot visits as lines of a file.
protocol RowLines: RowVisitor {
    /// The lines written so far.
    var bytes: [UInt8] { get }

    /// Starts with the columns of the rows.
    init(_ fields: [Field])

    /// Returns what comes before a table's rows.
    static func opening(_ header: TransferHeader, _ fields: [Field]) -> [UInt8]

    /// Returns what comes after a table's rows.
    static func closing(_ note: TransferNote) -> [UInt8]
}

/// One JSON object per line.
struct JSONRowLines: RowLines {
    private var json = JSONWriter(capacity: 65_536)
    private let names: [String]
    private var cell = 0

    var bytes: [UInt8] { json.bytes }

    init(_ fields: [Field]) {
        names = fields.map(\.name)
    }

    static func opening(_ header: TransferHeader, _ fields: [Field]) -> [UInt8] {
        TransferNote.table(header).json + [10]
    }

    static func closing(_ note: TransferNote) -> [UInt8] {
        note.json + [10]
    }

    mutating func begin(_ layout: RowLayout) {}

    mutating func beginRow() {
        json.raw("{")
        cell = 0
    }

    mutating func visit(_ value: RowCell) {
        if cell > 0 { json.raw(",") }
        json.string(names[cell])
        json.raw(":")
        cell += 1
        switch value.kind {
        case .null: json.raw("null")
        case .boolean: json.boolean(value.isTrue)
        case .integer: json.integer(value.whole)
        case .number: json.number(value.number)
        case .decimal: value.withText { json.raw($0) }
        case .text, .version, .instant: value.withText { json.string($0) }
        }
    }

    mutating func endRow() { json.raw("}\n") }
}

/// One record of comma-separated values per row.
struct CSVRowLines: RowLines {
    private(set) var bytes: [UInt8] = []
    private var cell = 0

    init(_ fields: [Field]) {}

    static func opening(_ header: TransferHeader, _ fields: [Field]) -> [UInt8] {
        Array(TransferFormat.csvNote.utf8) + TransferNote.table(header).json + [10]
            + Array(fields.map(\.name).joined(separator: ",").utf8) + [10]
    }

    static func closing(_ note: TransferNote) -> [UInt8] {
        Array(TransferFormat.csvNote.utf8) + note.json + [10]
    }

    mutating func begin(_ layout: RowLayout) {}

    mutating func beginRow() {
        cell = 0
    }

    mutating func visit(_ value: RowCell) {
        if cell > 0 { bytes.append(UInt8(ascii: ",")) }
        cell += 1
        switch value.kind {
        case .null: break
        case .boolean: bytes += (value.isTrue ? "true" : "false").utf8
        case .integer: bytes += String(value.whole).utf8
        case .number:
            var json = JSONWriter(capacity: 32)
            json.number(value.number)
            bytes += json.bytes
        case .decimal, .version: bytes += value.text.utf8
        case .text, .instant: value.withText { append($0) }
        }
    }

    private mutating func append(_ text: Span<UInt8>) {
        // Without its notes, an export is another program's file, in which an unquoted NULL is null.
        var needsQuotes = text.isEmpty || Self.isNULL(text)
        for index in text.indices where Self.isSpecial(text[index]) { needsQuotes = true }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
        for index in text.indices {
            bytes.append(text[index])
            if text[index] == UInt8(ascii: "\"") { bytes.append(UInt8(ascii: "\"")) }
        }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }

    private static func isNULL(_ text: Span<UInt8>) -> Bool {
        text.count == 4 && text[0] == UInt8(ascii: "N") && text[1] == UInt8(ascii: "U") && text[2] == UInt8(ascii: "L")
            && text[3] == UInt8(ascii: "L")
    }

    /// Includes the number sign, which could start a note.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte <= 32 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#")
    }

    mutating func endRow() { bytes.append(10) }
}

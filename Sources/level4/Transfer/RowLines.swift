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

    private mutating func name() {
        if cell > 0 { json.raw(",") }
        json.string(names[cell])
        json.raw(":")
        cell += 1
    }

    private mutating func cell(_ write: (inout JSONWriter) -> Void) {
        name()
        write(&json)
    }

    mutating func null() { cell { $0.raw("null") } }
    mutating func boolean(_ value: Bool) { cell { $0.boolean(value) } }
    mutating func integer(_ value: Int64) { cell { $0.integer(value) } }
    mutating func number(_ value: Double) { cell { $0.number(value) } }
    mutating func version(_ value: Version) { cell { $0.string(value.wireText) } }

    mutating func decimal(_ digits: Span<UInt8>) {
        name()
        json.raw(digits)
    }

    mutating func text(_ bytes: Span<UInt8>) {
        name()
        json.string(bytes)
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

    private mutating func separate() {
        if cell > 0 { bytes.append(UInt8(ascii: ",")) }
        cell += 1
    }

    /// Appends a value that needs no quotes.
    private mutating func plain(_ body: (inout JSONWriter) -> Void) {
        separate()
        var json = JSONWriter(capacity: 32)
        body(&json)
        bytes.append(contentsOf: json.bytes)
    }

    mutating func null() { separate() }
    mutating func boolean(_ value: Bool) { plain { $0.boolean(value) } }
    mutating func integer(_ value: Int64) { plain { $0.integer(value) } }
    mutating func number(_ value: Double) { plain { $0.number(value) } }

    mutating func version(_ value: Version) {
        separate()
        value.append(to: &bytes)
    }

    mutating func decimal(_ digits: Span<UInt8>) {
        separate()
        bytes.append(digits)
    }

    mutating func text(_ text: Span<UInt8>) {
        separate()
        var needsQuotes = text.isEmpty
        for index in text.indices where Self.isSpecial(text[index]) { needsQuotes = true }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
        for index in text.indices {
            bytes.append(text[index])
            if text[index] == UInt8(ascii: "\"") { bytes.append(UInt8(ascii: "\"")) }
        }
        if needsQuotes { bytes.append(UInt8(ascii: "\"")) }
    }

    /// Includes the number sign, which could start a note.
    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte <= 32 || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#")
    }

    mutating func endRow() { bytes.append(10) }
}

extension [UInt8] {
    fileprivate mutating func append(_ digits: Span<UInt8>) {
        for index in digits.indices { append(digits[index]) }
    }
}

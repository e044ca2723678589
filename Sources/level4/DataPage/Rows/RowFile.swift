import JSONText

/// The bytes of a file of rows, produced page by page.
struct RowFile: AsyncSequence, Sendable {
    /// Why the file breaks off in the middle.
    struct Fault: Error, CustomStringConvertible {
        let detail: String
        var description: String { detail }
    }

    let first: RowFilePage
    let format: RowDownload.Format
    /// The names of all columns, in order.
    let columns: [String]
    /// Requests a page by its query.
    let next: @Sendable ([UInt8]) async throws -> RowFilePage

    func makeAsyncIterator() -> Iterator { Iterator(file: self, page: first) }

    struct Iterator: AsyncIteratorProtocol {
        let file: RowFile
        /// The page to write next; nil after the end.
        var page: RowFilePage?
        fileprivate var isFirst = true

        mutating func next() async throws -> [UInt8]? {
            guard let page else { return nil }
            let bytes: [UInt8]
            switch file.format {
            case .json: bytes = json(page)
            case .csv:
                // On a separate thread, so that many files at once don't delay other requests.
                bytes = try await PageThread.run { [columns = file.columns, isFirst] in
                    try Self.csv(page, columns, hasHead: isFirst)
                }
            }
            isFirst = false
            if let query = page.next {
                self.page = try await file.next(query)
            } else {
                self.page = nil
            }
            return bytes
        }

        private func json(_ page: RowFilePage) -> [UInt8] {
            var bytes: [UInt8] = isFirst ? [UInt8(ascii: "[")] : []
            let rows = page.rows.dropFirst().dropLast()
            if !isFirst, !rows.isEmpty { bytes += [UInt8(ascii: ","), UInt8(ascii: "\n")] }
            bytes += rows
            if page.next == nil { bytes += [UInt8(ascii: "]"), UInt8(ascii: "\n")] }
            return bytes
        }

        private static func csv(_ page: RowFilePage, _ columns: [String], hasHead: Bool) throws -> [UInt8] {
            var bytes: [UInt8] = []
            if hasHead { CSVText.append(columns.map { CSVText.bytes(of: .string($0)) }, to: &bytes) }
            guard let rows = try JSONReader.parse(page.rows).elements else { return bytes }
            for row in rows { CSVText.append(columns.map { CSVText.bytes(of: row[$0]) }, to: &bytes) }
            return bytes
        }
    }
}

/// Comma-separated values (RFC 4180): null is an empty field, and the empty text a quoted one. Spreadsheets compute a
/// field that begins like a formula, so an apostrophe before it marks it as text, which the page removes when a file
/// comes back. What clients write must not run on an operator's machine, or send the neighbouring cells elsewhere.
enum CSVText {
    static func append(_ fields: [[UInt8]], to bytes: inout [UInt8]) {
        for (index, field) in fields.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: ",")) }
            bytes += field
        }
        bytes += [13, 10]
    }

    /// Returns a value as the text of a field.
    static func bytes(of value: JSONValue?) -> [UInt8] {
        switch value {
        case nil, .null?: return []
        case .string(let text)?: return quoted(disarmed(Array(text.utf8)))
        case .some(let other):
            let json = other.jsonBytes
            return json.contains(UInt8(ascii: ",")) ? quoted(json) : json
        }
    }

    /// Makes sure that spreadsheets don't take a text for a formula. A text that has apostrophes before a formula gets
    /// another one, so that removing one always restores the original.
    private static func disarmed(_ text: [UInt8]) -> [UInt8] {
        let rest = text.drop { $0 == UInt8(ascii: "'") }
        guard let first = rest.first else { return text }
        let isFormula =
            [9, 10, 13].contains(first) || "=+-@".utf8.contains(first) || wide.contains(where: rest.starts(with:))
        return isFormula ? [UInt8(ascii: "'")] + text : text
    }

    /// The full-width forms of the four signs.
    private static let wide = ["＝", "＋", "－", "＠"].map { Array($0.utf8) }

    /// Some programs separate fields by semicolons or tabs, after which a formula could begin.
    private static let special: Set<UInt8> = [UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), 9, 10, 13]

    private static func quoted(_ text: [UInt8]) -> [UInt8] {
        // Without quotes, `zumod import` takes NULL for null, and a number sign for the start of a note.
        guard
            text.isEmpty || text == Array("NULL".utf8) || text.first == UInt8(ascii: "#")
                || text.contains(where: special.contains)
        else { return text }
        var bytes = [UInt8(ascii: "\"")]
        for byte in text {
            if byte == UInt8(ascii: "\"") { bytes.append(byte) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return bytes
    }
}

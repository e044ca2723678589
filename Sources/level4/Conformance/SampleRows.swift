/// Six rows for questions that leave them as they are: one for each letter from a to f.
struct SampleRows {
    let mark: String

    /// The rows. Checks refer to the rows they expect by these letters.
    static func cells(_ mark: String) -> [(letter: Character, cells: [Cell])] {
        [
            row("a", "\(mark) apple", 1.5, 1, true, "2001-02-03T04:05:06.789Z"),
            row("b", "\(mark) Banana pie", 2.5, 2, false, "2010-11-12T13:14:15.016Z"),
            row("c", "\(mark) cherry's", -3.25, 3, true, "1969-12-31T23:59:59.999Z"),
            row("d", "\(mark) date 50%_[x]", 100, 4, false, nil),
            row("e", "\(mark) élan 日本 😀", 7, 5, false, "2024-02-29T00:00:00.000Z"),
            row("f", "\(mark) apple", 0, 6, true, "2001-02-03T04:05:06.790Z"),
        ]
    }

    private static func row(
        _ letter: Character, _ text: String, _ number: Double, _ integer: Int64, _ flag: Bool, _ date: String?
    ) -> (letter: Character, cells: [Cell]) {
        (
            letter,
            [
                .text(text), .number(number), .integer(integer), .flag(flag),
                date.map { .date($0) } ?? .none(.date),
            ]
        )
    }

    func id(_ letter: Character) -> String { "\(mark)-\(letter)" }

    func ids(_ letters: String) -> [String] { letters.map { id($0) } }

    /// The letters of rows that were answered.
    func letters(_ rows: [Row]) -> String {
        String(rows.map { $0.id?.last ?? "?" })
    }
}

extension CheckContext {
    /// The six rows, which the first check that asks for them makes.
    func samples() async throws(Verdict) -> SampleRows {
        if let samples = memory.samples { return samples }
        let samples = SampleRows(mark: mark)
        for (letter, cells) in SampleRows.cells(mark) {
            let cells = cells.filter { target.columns[$0.kind] != nil }
            let answer = try await insert(id: samples.id(letter), cells)
            try answer.expect(
                answer.isSuccess, "rows to ask for", came: "status \(answer.status) \(answer.reason) at an insert")
        }
        keepRows()
        memory.samples = samples
        return samples
    }

    /// Makes rows until a list of them is cut, which the first check that asks for them does.
    func pagedRows() async throws(Verdict) -> PagedRows {
        if let pagedRows = memory.pagedRows { return pagedRows }
        guard target.pageRows > 0 else { throw .skipped("--page-rows is 0, so no list was made that is long") }
        let pagedRows = PagedRows(mark: mark)
        var count = 0
        // The usual pages are of 50 and 100 rows.
        for goal in [55, 110, target.pageRows].filter({ $0 <= target.pageRows }).sorted() {
            while count < goal {
                count += 1
                let answer = try await insert(id: pagedRows.id(count), [.text("\(mark) \(count)")])
                try answer.expect(answer.isSuccess, "rows to list", came: "status \(answer.status) at an insert")
            }
            let listing = try await listed([dialect.includesDeleted], mark: pagedRows.mark)
            guard listing.rows.count == count else { break }
        }
        keepRows()
        memory.pagedRows = PagedRows(mark: mark, count: count)
        return memory.pagedRows ?? pagedRows
    }
}

/// Enough rows for a list of them to be cut into pages.
struct PagedRows {
    let mark: String
    var count = 0

    func id(_ number: Int) -> String { "\(mark)-\(number)" }
    var ids: Set<String> { Set((1...max(count, 1)).map { id($0) }) }
}

import StorageTesting
import Tables
import Testing

@Suite struct `How a table differs from what the server relies on` {
    private static let text = Column("text", .string)

    /// A line of the table: what the database has, how it differs, and what becomes of it.
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        var columns = [text]
        var lost: Set<SystemColumn> = []
        var hasIntegerID = false
        let differences: [TableDifference]
        /// Whether a start takes the differences away.
        var isPrepared = true
        /// Whether the table is served while it is so.
        var isServed = true
        var findings: [Finding.Kind] = []

        var schema: TableSchema {
            var schema = TableSchema()
            schema.systemColumns = Set(SystemColumn.allCases).subtracting(lost)
            schema.columns = columns
            schema.hasIntegerID = hasIntegerID
            return schema
        }
    }

    private static let cases = [
        Case(description: "as it should be", differences: []),
        Case(description: "with other spelling", columns: [Column("TEXT", .string)], differences: []),
        Case(description: "with a column more", columns: [Column("note", .string), text], differences: []),
        Case(
            description: "without a column of its definition", columns: [], differences: [.missing(text)],
            findings: [.lostDefinedColumn]),
        Case(
            description: "with another type", columns: [Column("Text", .number)],
            differences: [.otherType(text, found: .number)], isPrepared: false),
        Case(
            description: "with ids of another kind", hasIntegerID: true, differences: [.otherIDs(areNumbers: true)],
            isPrepared: false, isServed: false),
        Case(
            description: "without columns of the server's", lost: [.deleted, .createdAt],
            differences: [.lost(.createdAt), .lost(.deleted)], isPrepared: false, isServed: false,
            findings: [.lostColumn, .lostColumn]),
        Case(
            description: "in every way", columns: [], lost: [.version], hasIntegerID: true,
            differences: [.lost(.version), .otherIDs(areNumbers: true), .missing(text)], isPrepared: false,
            isServed: false, findings: [.lostColumn, .lostDefinedColumn]),
    ]

    @Test(arguments: cases)
    func `is one answer for all who ask`(_ sample: Case) {
        let definition = TableDefinition(name: "Bikes", columns: [Self.text])
        let found = sample.schema.differences(from: definition.columns, numbersRows: false)
        #expect(found == sample.differences)
        #expect(found.compactMap { $0.finding(in: "Bikes", with: [])?.kind } == sample.findings)
        let registered = RegisteredTable(name: "Bikes", origin: .configuration, softDelete: false)
        let plan = try? SchemaPlan(definition, for: .configuration, registered: registered, found: sample.schema)
        #expect((plan != nil) == sample.isPrepared)
        #expect(plan?.newColumns ?? [] == (found == [.missing(Self.text)] ? [Self.text] : []))
        let table = Table(name: "Bikes", columns: [Self.text], rules: TableRules())
        #expect(table.found(as: sample.schema).isAway == !sample.isServed)
    }

    @Test func `is nothing about ids where no definition determines them`() {
        for hasIntegerID in [true, false] {
            let sample = Case(description: "", hasIntegerID: hasIntegerID, differences: [])
            #expect(sample.schema.differences(numbersRows: nil) == [])
        }
    }
}

import StorageTesting
import Tables
import Testing

@Suite struct `A table as its database has it` {
    private static let text = Column("text", .string)

    private static func schema(_ columns: [Column], hasIntegerID: Bool = false) -> TableSchema {
        var schema = TableSchema()
        schema.systemColumns = Set(SystemColumn.allCases)
        schema.columns = columns
        schema.hasIntegerID = hasIntegerID
        return schema
    }

    @Test func `is the same object where nothing changed`() {
        let table = Table(name: "Bikes", columns: [Self.text], rules: TableRules())
        #expect(table.found(as: Self.schema([Self.text])) === table)
        let renamed = table.found(as: Self.schema([Column("TEXT", .string)]))
        #expect(renamed !== table && renamed.columns[0].name.text == "TEXT")
    }

    @Test func `is away without a schema, with a lost column and with ids of another kind`() {
        let table = Table(name: "Bikes", columns: [Self.text], rules: TableRules())
        var broken = Self.schema([Self.text])
        broken.systemColumns.remove(.version)
        for schema in [nil, broken, Self.schema([Self.text], hasIntegerID: true)] {
            let away = table.found(as: schema)
            #expect(away.isAway && away.columns == table.columns)
            #expect(away.found(as: schema) === away)
            let back = away.found(as: Self.schema([Self.text]))
            #expect(!back.isAway && back.columns == table.columns)
        }
    }

    @Test func `has the ids that the database has, where a client made it`() {
        let table = Table(name: "Bikes", columns: [], rules: TableRules(), isClients: true)
        #expect(table.found(as: Self.schema([], hasIntegerID: true)).rules.autoIncrement)
        #expect(table.found(as: Self.schema([])) === table)
    }
}

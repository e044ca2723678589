import StorageTesting
import Tables
import Testing

@Suite struct `The plan for a table's schema` {
    private static let text = Column("text", .string)
    private static let number = Column("number", .number)

    private static func definition(_ columns: [Column], softDelete: Bool = false) -> TableDefinition {
        var definition = TableDefinition(name: "Bikes", columns: columns)
        definition.rules.softDelete = softDelete
        return definition
    }

    private static func schema(_ columns: [Column]) -> TableSchema {
        var schema = TableSchema()
        schema.systemColumns = Set(SystemColumn.allCases)
        schema.columns = columns
        return schema
    }

    private static func registered(
        _ name: Identifier = "Bikes", by origin: RegisteredTable.Origin, softDelete: Bool = false
    ) -> RegisteredTable {
        RegisteredTable(name: name, origin: origin, softDelete: softDelete)
    }

    @Test(arguments: [RegisteredTable.Origin.configuration, .client])
    func `makes a table that is nowhere`(_ origin: RegisteredTable.Origin) throws {
        let plan = try SchemaPlan(Self.definition([Self.text]), for: origin, registered: nil, found: nil)
        #expect(plan.makesTable && plan.newColumns.isEmpty)
        #expect(plan.table.columns == [Self.text] && plan.table.isClients == (origin == .client))
        #expect(plan.addsClientTable == (origin == .client))
    }

    @Test(arguments: [RegisteredTable.Origin.configuration, .client])
    func `makes no empty table in the place of one that is away`(_ origin: RegisteredTable.Origin) throws {
        let error = #expect(throws: TableError.self) {
            try SchemaPlan(
                Self.definition([Self.text]), for: origin, registered: Self.registered(by: origin), found: nil)
        }
        guard case .definition(let sentence) = error else { throw try #require(error) }
        #expect(sentence.contains("give it its name back") && sentence.contains("DELETE FROM zumod_tables"))
    }

    @Test func `adds what the definition gained behind what is there, and takes nothing away`() throws {
        let plan = try SchemaPlan(
            Self.definition([Self.number]), for: .configuration, registered: Self.registered(by: .client),
            found: Self.schema([Self.text]))
        #expect(!plan.makesTable && plan.newColumns == [Self.number])
        #expect(plan.table.columns == [Self.text, Self.number] && !plan.table.isClients)
    }

    @Test func `keeps the spelling that the database goes by`() throws {
        let plan = try SchemaPlan(
            Self.definition([]), for: .configuration, registered: Self.registered("BIKES", by: .configuration),
            found: Self.schema([]))
        #expect(plan.table.name.text == "BIKES" && plan.definition.name.text == "BIKES")
    }

    @Test(arguments: [true, false])
    func `lets a client's table keep its tombstones, and the configuration say of them`(_ wasSoft: Bool) throws {
        for origin in [RegisteredTable.Origin.client, .configuration] {
            let plan = try SchemaPlan(
                Self.definition([], softDelete: !wasSoft), for: origin,
                registered: Self.registered(by: .client, softDelete: wasSoft), found: Self.schema([]))
            #expect(plan.table.rules.softDelete == (origin == .client ? wasSoft : !wasSoft))
        }
    }

    @Test func `ends no soft delete of a table that has tombstones, and says how to`() throws {
        func plan(from wasSoft: Bool, to isSoft: Bool) throws -> SchemaPlan {
            try SchemaPlan(
                Self.definition([], softDelete: isSoft), for: .configuration,
                registered: Self.registered(by: .configuration, softDelete: wasSoft), found: Self.schema([]))
        }
        let ending = try plan(from: true, to: false)
        #expect(ending.softDeleteChange == .ends)
        try ending.check(tombstones: 0)
        let error = #expect(throws: TableError.self) { try ending.check(tombstones: 2) }
        #expect("\(String(describing: error))".contains("`zumod table purge Bikes --older-than 0s`"))
        #expect(try plan(from: false, to: true).softDeleteChange == .begins)
        #expect(try plan(from: false, to: false).softDeleteChange == nil)
        try plan(from: true, to: true).check(tombstones: 2)
        let new = try SchemaPlan(
            Self.definition([], softDelete: true), for: .configuration, registered: nil, found: nil)
        #expect(new.softDeleteChange == nil)
    }

    /// A line of the table: what is there, who asks for what, and the sentence of the refusal.
    struct Refusal: Sendable, CustomStringConvertible {
        let description: String
        var origin = RegisteredTable.Origin.configuration
        var columns: [Column] = []
        var registered: RegisteredTable? = `The plan for a table's schema`.registered(by: .configuration)
        var found: TableSchema? = `The plan for a table's schema`.schema([])
    }

    private static let refusals = [
        Refusal(
            description: "the table Bikes is in the database, but no longer in the configuration", origin: .client),
        Refusal(description: "the database has a table Bikes that zumod did not make", registered: nil),
        Refusal(
            description: "table Bikes: the database's table has lost its column version",
            found: {
                var found = schema([])
                found.systemColumns.remove(.version)
                return found
            }()),
        Refusal(
            description: "table Bikes: its ids are whole numbers already, so autoIncrement can't change",
            found: {
                var found = schema([])
                found.hasIntegerID = true
                return found
            }()),
        Refusal(
            description: "table Bikes: the column text is defined as string, but the database has it as number",
            columns: [text], found: schema([Column("text", .number)])),
    ]

    @Test(arguments: refusals)
    func `is refused with a sentence for the operator`(_ refusal: Refusal) {
        #expect(throws: TableError.definition(refusal.description)) {
            try SchemaPlan(
                Self.definition(refusal.columns), for: refusal.origin, registered: refusal.registered,
                found: refusal.found)
        }
    }

    @Test func `is refused where the table would have too many columns, or clients too many tables`() throws {
        let many = (0..<Table.maximumColumns).compactMap { Identifier("c\($0)") }.map { Column($0, .string) }
        #expect(throws: TableError.tooManyColumns(limit: Table.maximumColumns)) {
            try SchemaPlan(
                Self.definition([Self.text]), for: .configuration, registered: Self.registered(by: .configuration),
                found: Self.schema(many))
        }
        let plan = try SchemaPlan(Self.definition([]), for: .client, registered: nil, found: nil)
        try plan.check(clientTables: 1, within: ClientLimits(tables: 2))
        #expect(throws: TableError.tooManyClientTables(limit: 2)) {
            try plan.check(clientTables: 2, within: ClientLimits(tables: 2))
        }
    }

    @Test func `is made of no two definitions of one table`() throws {
        let tables = ["Bikes", "Cars", "BIKES"].map { TableDefinition(name: $0) }
        try [TableDefinition](tables.prefix(2)).check()
        #expect(throws: TableError.definition("the table BIKES is defined twice")) { try tables.check() }
    }
}

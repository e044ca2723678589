import Tables

/// The table that is measured with.
enum BenchmarkTable {
    struct NoName: Error {}

    static func name(_ text: String) throws -> Identifier {
        guard let name = Identifier(text) else { throw NoName() }
        return name
    }

    static func columns() throws -> [Column] {
        [
            Column(try name("text"), .string), Column(try name("complete"), .boolean),
            Column(try name("rank"), .integer), Column(try name("weight"), .number),
        ]
    }

    static var rules: TableRules {
        var rules = TableRules()
        rules.softDelete = true
        return rules
    }

    /// The members of a row's body.
    static func properties(_ number: Int) -> [Property] {
        [
            Property("text", .text("Item number \(number) of many")), Property("complete", .boolean(number % 3 == 0)),
            Property("rank", .integer(Int64(number % 500))), Property("weight", .number(Double(number) * 0.25)),
        ]
    }
}

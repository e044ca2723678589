import TableSQL
import Tables

/// The numbers that the database gives to rows.
enum GeneratedNumbers {
    /// The last that can be given; nil where the database gives none.
    static func end(of table: Identifier, on connection: PostgresConnection) throws(PostgresFailure) -> Int64? {
        let result = try connection.run(
            SQLText(
                text: """
                    SELECT seqmax FROM pg_sequence WHERE seqrelid = pg_get_serial_sequence($1::text, 'id')::regclass
                    """,
                bindings: [.text("\"\(PostgresName.physical(table.text))\"")]))
        return result.rowCount > 0 ? result.integer(0, 0) : nil
    }

    /// Moves them past one that a row was given otherwise.
    static func skip(to number: Int64, of table: Identifier) -> SQLText {
        SQLText(
            text: """
                SELECT setval(numbers::regclass, $1::int8) FROM pg_get_serial_sequence($2::text, 'id') AS numbers
                WHERE $1::int8 > coalesce(pg_sequence_last_value(numbers::regclass), 0)
                """, bindings: [.integer(number), .text("\"\(PostgresName.physical(table.text))\"")])
    }
}

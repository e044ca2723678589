public import Tables

/// Makes a row equal to an imported one with the same id, and returns nothing.
///
/// The row stays in place, so that no reference to it from another table is affected, and columns that the import
/// doesn't name keep their values.
public struct ReplaceStatements: Sendable {
    /// The statements with their bindings, in order.
    public let all: [SQLText]

    /// - Parameters:
    ///   - renewal: the row's version and stamp, which may be those that it has.
    ///   - table: the table with all columns that the row sets.
    public init(_ row: ImportRow, renewal: VersionBump, in table: Table, dialect: any SQLDialect) {
        all = [
            Self.asideStatement(row, renewal, table, dialect), Self.updateStatement(row, renewal, table, dialect),
        ]
    }

    /// A write that leaves the version as it is looks to the trigger like another program's, which needs a new one.
    private static func asideStatement(
        _ row: ImportRow, _ renewal: VersionBump, _ table: Table, _ dialect: any SQLDialect
    ) -> SQLText {
        SQLText(
            """
            UPDATE \(table.name) SET "version" = -1 \
            WHERE "id" = \(row.id.value) AND "version" = \(.integer(renewal.version.counter))
            """, dialect)
    }

    private static func updateStatement(
        _ row: ImportRow, _ renewal: VersionBump, _ table: Table, _ dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("UPDATE ")
        builder.identifier(table.name.text)
        builder.append(" SET \"version\" = ")
        builder.bind(.integer(renewal.version.counter))
        builder.append(", \"updatedAt\" = ")
        builder.bind(.date(renewal.stamp))
        if let createdAt = row.createdAt {
            builder.append(", \"createdAt\" = ")
            builder.bind(.date(createdAt))
        }
        if row.saysWhetherDeleted {
            builder.append(", \"deleted\" = ")
            builder.bind(.boolean(row.isDeleted))
        }
        for assignment in row.assignments {
            builder.append(", ")
            builder.assign(assignment)
        }
        builder.append(" WHERE \"id\" = ")
        builder.bind(row.id.value)
        return builder.build()
    }
}

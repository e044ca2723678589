import TableSQL
import Tables

/// The columns `__createdAt`, `__updatedAt`, `__version` and `__deleted` of a table from Mobile Services. They have the
/// same meaning as zumod's and become those, so that deleted rows stay deleted.
struct LegacyColumns {
    private struct Former {
        let system: SystemColumn
        let name: String
        /// The expression that converts its values to those of the system column; nil if none is needed.
        let conversion: String?
    }

    private var all: [Former] = []

    /// Adds a column if it is one of these.
    /// - Returns: the system column that it becomes; nil if it is another column.
    /// - Throws: why it can't be converted.
    mutating func take(_ name: String, _ type: CellType?) throws(Unfit) -> SystemColumn? {
        guard let system = SystemColumn(formerly: name) else { return nil }
        if let other = all.first(where: { $0.system == system }) {
            throw Unfit(
                sentence: "its columns \(other.name) and \(name) are both the server's \(system.rawValue): drop one")
        }
        all.append(Former(system: system, name: name, conversion: try Self.conversion(of: name, as: system, type)))
        return system
    }

    struct Unfit: Error {
        /// The end of a sentence.
        let sentence: String
    }

    private static func conversion(
        of name: String, as system: SystemColumn, _ type: CellType?
    ) throws(Unfit) -> String? {
        let column = "\"\(system.rawValue)\""
        switch (system, type) {
        case (.createdAt, .timestampWithZone), (.updatedAt, .timestampWithZone), (.version, .int8): return nil
        case (.createdAt, .timestamp), (.updatedAt, .timestamp): return "\(column) AT TIME ZONE 'UTC'"
        case (.createdAt, .text), (.createdAt, .varchar), (.updatedAt, .text), (.updatedAt, .varchar):
            return "nullif(btrim(\(column)), '')::timestamp with time zone"
        // Every row gets a new version later.
        case (.version, _): return "0"
        // A null becomes false when the row gets its version.
        case (.deleted, .boolean): return nil
        case (.deleted, .text), (.deleted, .varchar): return "coalesce(nullif(btrim(\(column)), '')::boolean, false)"
        case (.deleted, .int2), (.deleted, .int4), (.deleted, .int8), (.deleted, .numeric):
            return "coalesce(\(column), 0) <> 0"
        default:
            throw Unfit(
                sentence: "its column \(name) has a type that can't become the server's \(system.rawValue): make it "
                    + "\(PostgresDialect().typeName(of: system)) first")
        }
    }

    /// The current names of the columns.
    var names: [String] { all.map(\.name) }

    /// Returns the current name of a system column.
    func name(of system: SystemColumn) -> String? { all.first { $0.system == system }?.name }

    /// Returns the statements that turn them into system columns.
    /// - Parameter relation: the quoted name of the table.
    func statements(in relation: String) -> [String] {
        all.flatMap { former in
            let column = "\"\(former.system.rawValue)\""
            var statements = [
                "ALTER TABLE \(relation) RENAME COLUMN \"\(former.name)\" TO \(column)",
                // The triggers assign these values, and a version from a default would prevent that.
                "ALTER TABLE \(relation) ALTER COLUMN \(column) DROP DEFAULT",
            ]
            if let conversion = former.conversion {
                let type = PostgresDialect().typeName(of: former.system)
                statements.append("ALTER TABLE \(relation) ALTER COLUMN \(column) TYPE \(type) USING \(conversion)")
            }
            return statements
        }
    }

    /// The condition for deleted rows, before anything is changed.
    var deletedCondition: String? {
        guard let former = all.first(where: { $0.system == .deleted }) else { return nil }
        let condition = former.conversion ?? "coalesce(\"deleted\", false)"
        return condition.replacing("\"deleted\"", with: "\"\(former.name)\"")
    }
}

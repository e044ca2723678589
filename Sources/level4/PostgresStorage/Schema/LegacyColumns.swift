import TableSQL
import Tables

/// The columns of a table that came from Mobile Services, `__createdAt`, `__updatedAt`, `__version` and `__deleted`: they hold
/// what zumod's hold, and become those, so that deleted rows stay deleted.
struct LegacyColumns {
    private struct Former {
        let system: SystemColumn
        let name: String
        /// How its values become those of the server's column; nil where they are.
        let conversion: String?
    }

    private var all: [Former] = []

    /// Takes a column up, if it is one of these.
    /// - Returns: whether it is.
    /// - Throws: why it can't become the server's.
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
        /// As the end of a sentence.
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
        // Every row gets a version of its own.
        case (.version, _): return "0"
        // A null becomes false where each row gets its version.
        case (.deleted, .boolean): return nil
        case (.deleted, .text), (.deleted, .varchar): return "coalesce(nullif(btrim(\(column)), '')::boolean, false)"
        case (.deleted, .int2), (.deleted, .int4), (.deleted, .int8), (.deleted, .numeric):
            return "coalesce(\(column), 0) <> 0"
        default:
            throw Unfit(
                sentence: "its column \(name) has a type that can't become the server's \(system.rawValue): make it "
                    + "\(Self.type(of: system)) first")
        }
    }

    /// The names that they have now.
    var names: [String] { all.map(\.name) }

    /// The name that a system column has now.
    func name(of system: SystemColumn) -> String? { all.first { $0.system == system }?.name }

    /// What makes the server's columns of them.
    /// - Parameter relation: quoted.
    func statements(in relation: String) -> [String] {
        all.flatMap { former in
            let column = "\"\(former.system.rawValue)\""
            var statements = [
                "ALTER TABLE \(relation) RENAME COLUMN \"\(former.name)\" TO \(column)",
                // The triggers give these values, and a version by default would keep them from it.
                "ALTER TABLE \(relation) ALTER COLUMN \(column) DROP DEFAULT",
            ]
            if let conversion = former.conversion {
                statements.append(
                    "ALTER TABLE \(relation) ALTER COLUMN \(column) TYPE \(Self.type(of: former.system)) USING \(conversion)"
                )
            }
            return statements
        }
    }

    /// The condition of deleted rows, before anything is done.
    var deletedCondition: String? {
        guard let former = all.first(where: { $0.system == .deleted }) else { return nil }
        let condition = former.conversion ?? "coalesce(\"deleted\", false)"
        return condition.replacing("\"deleted\"", with: "\"\(former.name)\"")
    }

    private static func type(of system: SystemColumn) -> String {
        switch system {
        case .version: "bigint"
        case .deleted: "boolean"
        case .id, .createdAt, .updatedAt: PostgresDialect().typeName(of: .date)
        }
    }
}

public import ByteText
public import Tables

/// The triggers that assign a version and stamp to rows written by other programs, such as psql, and turn rows that
/// they delete into tombstones.
///
/// Whatever such a program says of versions and stamps, it gets new ones. Only a transaction of zumod's, which already
/// has its turn, keeps those that it sets; it announces itself by the setting `zumod.writes`. What triggers of others
/// write along with it is theirs, and so is the deletion of a row along with one of another table: zumod only means the
/// one row.
public struct PostgresTriggers: Sendable {
    /// A trigger of a table.
    public struct Trigger: Sendable {
        /// Its name.
        public let name: String
        /// The statement that creates or replaces it.
        public let statement: String
        /// What the catalog has of it besides its condition: that it is enabled, when it fires, the function that it
        /// calls, and the argument.
        public let state: String

        /// - Parameters:
        ///   - events: what it fires before.
        ///   - unit: what it fires for, with its condition. Databases remember the text, line breaks included.
        ///   - argument: the function's argument; empty for none.
        fileprivate init(
            _ name: String, before events: [Event], on relation: String, forEach unit: String, _ function: String,
            _ argument: String = ""
        ) {
            self.name = name
            let deeds = events.map { "\($0)".uppercased() }.joined(separator: " OR ")
            statement = """
                CREATE OR REPLACE TRIGGER \(name) BEFORE \(deeds) ON \(relation)
                FOR EACH \(unit)EXECUTE FUNCTION \(function)(\(argument.isEmpty ? "" : "'\(argument)'"))
                """
            let type = events.reduce(unit.hasPrefix("ROW") ? 3 : 2) { $0 + $1.rawValue }
            let bytes = argument.isEmpty ? [] : Array(argument.utf8) + [0]
            state = "O \(type) \(function) \(bytes.hexText)"
        }
    }

    /// What a trigger fires before, with its bit of pg_trigger.tgtype, where 1 means each row, and 2 before.
    fileprivate enum Event: Int {
        case insert = 4, delete = 8, update = 16, truncate = 32
    }

    /// The triggers that the table must have.
    public let all: [Trigger]
    /// The names of those that assign versions, which tables have had in every version of the server.
    public let stamping: [String]
    /// The names of triggers that the table must not have.
    public let unwanted: [String]
    private let relation: String

    /// Creates the triggers of a table that has its system columns.
    /// - Parameter softDelete: whether deleted rows become tombstones.
    public init(for table: Identifier, softDelete: Bool) {
        let relation = "\"\(PostgresName.physical(table.text))\""
        let isForeign = "current_setting('zumod.writes', true) IS DISTINCT FROM 'on'"
        let foreign = "STATEMENT WHEN (\(isForeign)) "
        let isForeignRow = "\(isForeign) OR pg_trigger_depth() > 0"
        let giving = [
            Trigger(
                "zumod_turn", before: [.insert, .update, .delete], on: relation, forEach: foreign, "zumod_take_turn",
                table.text),
            Trigger(
                "zumod_inserted", before: [.insert], on: relation,
                forEach: "ROW WHEN (\(isForeignRow)\n    OR NEW.\"version\" IS NULL) ", "zumod_renew", table.text),
            Trigger(
                "zumod_updated", before: [.update], on: relation,
                forEach: "ROW WHEN (\(isForeignRow)\n    OR NEW.\"version\" IS NOT DISTINCT FROM OLD.\"version\") ",
                "zumod_renew", table.text),
        ]
        let keeping = [
            Trigger(
                "zumod_deleted", before: [.delete], on: relation,
                forEach: "ROW WHEN (\(isForeignRow))\n", "zumod_keep"),
            Trigger("zumod_truncated", before: [.truncate], on: relation, forEach: foreign, "zumod_keep"),
        ]
        self.relation = relation
        stamping = giving.map(\.name)
        all = softDelete ? giving + keeping : giving
        unwanted = softDelete ? [] : keeping.map(\.name)
    }

    /// Returns the statements that change a table's triggers to these: each takes a lock that waits for all writers.
    /// - Parameters:
    ///   - sound: the statements of those triggers that are unchanged since they were created, by name.
    ///   - existing: the triggers that the table has, by name.
    public func changes<State>(since sound: [ExactText: String], _ existing: [ExactText: State]) -> [String] {
        all.filter { !sound[ExactText($0.name)].isExactly($0.statement) }.map(\.statement)
            + unwanted.filter { existing[ExactText($0)] != nil }.map { "DROP TRIGGER \($0) ON \(relation)" }
    }
}

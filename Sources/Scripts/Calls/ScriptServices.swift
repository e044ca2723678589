import Access
public import JSONText
import TableOperations
import Tables

/// What scripts may ask of the rest of the server.
public struct ScriptServices: Sendable {
    /// Runs the SQL of old backends, of an operator or of somebody else.
    public typealias SQL =
        @Sendable (
            _ text: String, _ parameters: JSONValue, _ generation: ScriptGeneration, _ isOperators: Bool
        ) async -> JSONValue
    /// Sends a message to devices.
    public typealias Push = @Sendable (_ service: String, _ message: JSONValue) async -> JSONValue

    let sql: SQL
    let push: Push

    /// Makes errands of what does them.
    public init(sql: @escaping SQL, push: @escaping Push) {
        self.sql = sql
        self.push = push
    }

    /// What a script of the Node SDK has to know before it asks for a table: which there are, in one text, as most ask for
    /// none.
    static func told(of tables: ServerTables, for generation: ScriptGeneration) -> [JSONMember] {
        guard generation == .v2 else { return [] }
        return [JSONMember("tables", .string(tables.names.joined(separator: " ")))]
    }

    /// The reply to what a script asks beside its own operation.
    /// - Parameters:
    ///   - tables: with the rows of the caller, which is what scripts of the Node SDK get. Those of Mobile Services are the
    ///     server's.
    ///   - caller: for whom the script runs: a job for an admin.
    func reply(
        to ask: JSONValue, _ tables: ServerTables, for generation: ScriptGeneration, by caller: Principal
    ) async -> JSONValue {
        switch ask["do"]?.textValue {
        case "table":
            let tables = generation == .v1 ? tables.asServer : tables
            return await ScriptTableAccess(tables: tables, generation: generation).reply(to: ask)
        case "sql":
            let isOperators = if case .admin = caller { true } else { false }
            return await sql(ask["sql"]?.textValue ?? "", ask["parameters"] ?? .null, generation, isOperators)
        case "push": return await push(ask["service"]?.textValue ?? "hub", ask["message"] ?? .null)
        default: return ScriptValues.failure("bad", 400, "the server knows no such request of a script")
        }
    }
}

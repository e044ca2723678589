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
        ) async -> ScriptReply
    /// Sends a message to devices.
    public typealias Push = @Sendable (_ service: String, _ message: JSONValue) async -> ScriptReply

    let sql: SQL
    let push: Push

    /// Makes errands of what does them.
    public init(sql: @escaping SQL, push: @escaping Push) {
        self.sql = sql
        self.push = push
    }

    /// The reply to what a script asks beside its own operation.
    /// - Parameters:
    ///   - tables: with the rows of the caller, which is what scripts of the Node SDK get. Those of Mobile Services are the
    ///     server's.
    ///   - caller: for whom the script runs: a job for an admin.
    func reply(
        to ask: ScriptAsk, _ tables: ServerTables, for generation: ScriptGeneration, by caller: Principal
    ) async -> ScriptReply {
        switch ask.kind {
        case .table(let rows):
            let tables = generation == .v1 ? tables.asServer : tables
            return await ScriptTableAccess(tables: tables, generation: generation).reply(to: rows)
        case .sql(let text, let parameters):
            let isOperators = if case .admin = caller { true } else { false }
            return await sql(text, parameters, generation, isOperators)
        case .push(let service, let message): return await push(service, message)
        case .execute, .serve: return .failed(AskFailure(.bad, 400, "there is no operation and no request to do"))
        case .unknown: return .failed(AskFailure(.bad, 400, "the server knows no such request of a script"))
        }
    }
}

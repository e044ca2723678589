import Access
public import JSONText
import TableOperations
import Tables

/// What scripts may request from the rest of the server.
public struct ScriptServices: Sendable {
    /// Runs the SQL of old backends, on behalf of an operator or of someone else.
    public typealias SQL =
        @Sendable (
            _ text: String, _ parameters: JSONValue, _ generation: ScriptGeneration, _ isOperators: Bool
        ) async -> ScriptReply
    /// Sends a push message to devices.
    public typealias Push = @Sendable (_ service: String, _ message: JSONValue) async -> ScriptReply

    let sql: SQL
    let push: Push

    /// Creates services from their implementations.
    public init(sql: @escaping SQL, push: @escaping Push) {
        self.sql = sql
        self.push = push
    }

    /// Replies to an ask that isn't about the script's own operation.
    /// - Parameters:
    ///   - tables: limited to the caller's rows, for scripts of the Node SDK. Those of Mobile Services get the
    ///     server's.
    ///   - caller: whom the script runs for; an admin for a job.
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

import Synchronization

/// Makes the database acknowledge a commit only when it is on disk, whatever the role, the database or the URL sets for
/// `synchronous_commit`. All values except `remote_apply` promise no more than `on`, so only that one is left
/// unchanged.
final class DurableCommits: Sendable {
    private let isRefused = Atomic(false)

    /// The current value of the setting, as a column.
    private static let current = "current_setting('synchronous_commit')"

    /// Returns a column that changes the setting and returns it. If the database doesn't allow that, the column only
    /// reads it.
    /// - Parameter isLocal: whether it is set for the transaction, not the session.
    func column(isLocal: Bool) -> String {
        guard !isRefused.load(ordering: .relaxed) else { return Self.current }
        let wanted = "CASE \(Self.current) WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END"
        return "set_config('synchronous_commit', \(wanted), \(isLocal))"
    }

    /// Runs a statement whose first column changes the setting. Once the database has refused that, it isn't tried
    /// again.
    /// - Returns: a message about a refusal, once.
    func begin(
        isLocal: Bool, _ run: (_ column: String) throws(PostgresFailure) -> PostgresResult
    ) throws(PostgresFailure) -> PostgresNote? {
        do throws(PostgresFailure) {
            _ = try run(column(isLocal: isLocal))
            return nil
        } catch {
            guard case .refused(_, let detail) = error, !isRefused.load(ordering: .relaxed) else { throw error }
            let setting = try run(Self.current).string(0, 0)
            guard !isRefused.exchange(true, ordering: .relaxed), !["on", "remote_apply"].contains(setting) else {
                return nil
            }
            return .warning(
                """
                synchronous_commit is \(setting), and the database does not let the server set it (\(detail)): a crash \
                of the database may take writes that clients were told are done. Set it to on for the role or the \
                database
                """)
        }
    }
}

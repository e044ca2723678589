import Synchronization

/// What has the database answer a commit only when it is on disk, whatever the role, the database or the URL says of
/// `synchronous_commit`. All of its values but `remote_apply` say less than `on`, so that one alone stays.
final class DurableCommits: Sendable {
    private let isRefused = Atomic(false)

    /// What the setting is, as a column.
    private static let current = "current_setting('synchronous_commit')"

    /// What makes the setting, as a column that answers it; where the database lets nobody make it, only what it is.
    /// - Parameter isLocal: whether it is made for the transaction, not the session.
    func column(isLocal: Bool) -> String {
        guard !isRefused.load(ordering: .relaxed) else { return Self.current }
        let wanted = "CASE \(Self.current) WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END"
        return "set_config('synchronous_commit', \(wanted), \(isLocal))"
    }

    /// Runs a statement whose first column makes the setting. Where the database refuses it, none tries it any more.
    /// - Returns: what there is to say of that, once.
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

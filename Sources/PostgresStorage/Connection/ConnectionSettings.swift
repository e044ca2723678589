import TableSQL

extension PostgresConnection {
    /// What a transaction has to begin with where sessions are not kept.
    var localSettings: [SQLText] {
        guard !settings.keepsSessions else { return [] }
        let columns = ["set_config('statement_timeout', '\(timeout)', true)"] + OwnSettings.rowColumns
        return [SQLText(text: "SELECT " + columns.joined(separator: ", "), bindings: [])]
    }

    /// What makes the commit of a transaction last, where sessions are not kept: among its first statements, or those of
    /// a pipeline that is one.
    var durableSettings: [SQLText] {
        guard !settings.keepsSessions else { return [] }
        return [SQLText(text: "SELECT \(settings.commits.column(isLocal: true))", bindings: [])]
    }

    /// Finds out whether the database lets transactions be durable, where no session has found it out.
    func checkDurability() throws(PostgresFailure) {
        guard !settings.keepsSessions else { return }
        let note = try settings.commits.begin(isLocal: true) { column throws(PostgresFailure) in
            try run("SELECT \(column)")
        }
        if let note { settings.report(note) }
    }

    /// What a writer's transaction has to begin with: it waits for locks for a while only, and holds none for ever.
    var writeSettings: [SQLText] {
        let patience = SQLText(
            text: "SET LOCAL lock_timeout = \(settings.lockPatience.milliseconds)", bindings: [])
        guard !settings.keepsSessions else { return [patience] }
        let columns = [
            settings.server.ofTransaction, settings.commits.column(isLocal: true),
            "set_config('idle_in_transaction_session_timeout', '\(settings.silence.milliseconds)', true)",
        ]
        return localSettings + [
            patience, SQLText(text: "SELECT " + columns.joined(separator: ", "), bindings: []),
        ]
    }

    /// Begins a transaction that reads one moment for as long as it takes, whatever a session or a role bounds it by.
    func beginLongRead() throws(PostgresFailure) {
        let bounds = ["statement_timeout", "idle_in_transaction_session_timeout"].map {
            "set_config('\($0)', '0', true)"
        }
        let begin = [
            SQLText(text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", bindings: []), OwnSettings.ofTransaction,
            SQLText(text: "SELECT \(bounds.joined(separator: ", "))", bindings: []),
        ]
        _ = try run(begin + durableSettings)
    }

    /// What a session begins with that is kept. The server notices as soon as its client that the other is gone.
    /// - Parameter first: the first column.
    func sessionSettings(after first: String) -> SQLText {
        let values = [
            ("statement_timeout", timeout), ("idle_in_transaction_session_timeout", settings.silence.milliseconds),
            ("tcp_keepalives_idle", 5), ("tcp_keepalives_interval", 2), ("tcp_keepalives_count", 3),
            ("tcp_user_timeout", 10_000),
        ]
        let columns =
            [first] + values.map { "set_config('\($0.0)', '\($0.1)', false)" } + OwnSettings.columns(isLocal: false)
            + [settings.server.ofSession]
        return SQLText(text: "SELECT " + columns.joined(separator: ", "), bindings: [])
    }

    private var timeout: Int64 { settings.statementTimeout.milliseconds }
}

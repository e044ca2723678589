import TableSQL

extension PostgresConnection {
    /// The statements that a transaction has to start with if sessions aren't kept.
    var localSettings: [SQLText] {
        guard !settings.keepsSessions else { return [] }
        let columns = ["set_config('statement_timeout', '\(timeout)', true)"] + SessionSettings.rowColumns
        return [SQLText("SELECT " + columns.joined(separator: ", "))]
    }

    /// The statement that makes a transaction's commit durable if sessions aren't kept. It goes at the start of the
    /// transaction, or of a pipeline that forms one.
    var durableSettings: [SQLText] {
        guard !settings.keepsSessions else { return [] }
        return [SQLText("SELECT \(settings.commits.column(isLocal: true))")]
    }

    /// Checks whether the database allows durable transactions, unless a session has already done so.
    func checkDurability() throws(PostgresFailure) {
        guard !settings.keepsSessions else { return }
        let note = try settings.commits.begin(isLocal: true) { column throws(PostgresFailure) in
            try run("SELECT \(column)")
        }
        if let note { settings.report(note) }
    }

    /// The statements that a writer's transaction starts with, which limit how long it waits for locks and holds them.
    var writeSettings: [SQLText] {
        let patience = SQLText("SET LOCAL lock_timeout = \(settings.lockPatience.milliseconds)")
        guard !settings.keepsSessions else { return [patience] }
        let columns = [
            settings.server.ofTransaction, settings.commits.column(isLocal: true),
            "set_config('idle_in_transaction_session_timeout', '\(settings.silence.milliseconds)', true)",
        ]
        return localSettings + [
            patience, SQLText("SELECT " + columns.joined(separator: ", ")),
        ]
    }

    /// Begins a transaction that reads from one snapshot for as long as it takes, whatever limits the session or the
    /// role has.
    func beginLongRead() throws(PostgresFailure) {
        let bounds = ["statement_timeout", "idle_in_transaction_session_timeout"].map {
            "set_config('\($0)', '0', true)"
        }
        let begin = [
            SQLText.beginReading, SessionSettings.ofTransaction,
            SQLText("SELECT \(bounds.joined(separator: ", "))"),
        ]
        _ = try run(begin + durableSettings)
    }

    /// The statement that a kept session starts with. The server then notices a lost peer as early as its client does.
    /// - Parameter first: the first column.
    func sessionSettings(after first: String) -> SQLText {
        let values = [
            ("statement_timeout", timeout), ("idle_in_transaction_session_timeout", settings.silence.milliseconds),
            ("tcp_keepalives_idle", 5), ("tcp_keepalives_interval", 2), ("tcp_keepalives_count", 3),
            ("tcp_user_timeout", 10_000),
        ]
        let columns =
            [first] + values.map { "set_config('\($0.0)', '\($0.1)', false)" } + SessionSettings.columns(isLocal: false)
            + [settings.server.ofSession]
        return SQLText("SELECT " + columns.joined(separator: ", "))
    }

    private var timeout: Int64 { settings.statementTimeout.milliseconds }
}

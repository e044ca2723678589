import TableSQL

/// The settings that determine the meaning of a text or a statement. They are the same in all of zumod's sessions,
/// whatever the server, the database, the role or the URL sets. A different `TimeZone` alone would shift a `timestamp`
/// that is read and saved again by hours.
///
/// Settings that only affect warnings, money or words that no statement of zumod uses are left to the database:
/// triggers of other programs may rely on them.
enum SessionSettings {
    private static let values =
        ofRows + [
            ("client_encoding", "UTF8"), ("IntervalStyle", "postgres"), ("quote_all_identifiers", "off"),
            ("array_nulls", "on"), ("bytea_output", "hex"), ("xmlbinary", "base64"), ("xmloption", "content"),
            ("default_transaction_isolation", "read committed"), ("default_transaction_deferrable", "off"),
        ]

    /// Those that statements about rows depend on. If sessions aren't kept, each transaction sets only these, as each
    /// one costs time. The others only affect triggers of other programs.
    private static let ofRows = [
        ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("standard_conforming_strings", "on"),
        ("extra_float_digits", "1"), ("transform_null_equals", "off"), ("gin_fuzzy_search_limit", "0"),
    ]

    /// Those whose changes the server reports to its client.
    static let reported = [("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("standard_conforming_strings", "on")]

    /// The columns that apply the settings for a transaction about rows.
    static var rowColumns: [String] { columns(ofRows, isLocal: true) }

    /// Returns columns that apply the settings.
    /// - Parameter isLocal: whether for the transaction, not the session.
    static func columns(isLocal: Bool) -> [String] {
        columns(values, isLocal: isLocal) + [path(isLocal: isLocal)]
    }

    private static func columns(_ values: [(String, String)], isLocal: Bool) -> [String] {
        values.map { "pg_catalog.set_config('\($0.0)', '\($0.1)', \(isLocal))" }
    }

    /// The statement that applies them for the transaction.
    static let ofTransaction = SQLText("SELECT " + columns(isLocal: true).joined(separator: ", "))

    /// The search path keeps its schemas and their order, but nothing precedes PostgreSQL's own names: neither schemas
    /// with other functions nor temporary tables. If none of the schemas exists, the path stays unchanged.
    private static func path(isLocal: Bool) -> String {
        """
        pg_catalog.set_config('search_path', coalesce((
            SELECT pg_catalog.string_agg(pg_catalog.quote_ident(name::pg_catalog.text), ', ' ORDER BY place)
                OPERATOR(pg_catalog.||) ', pg_temp'
            FROM pg_catalog.unnest(pg_catalog.current_schemas(false)) WITH ORDINALITY AS path (name, place)
            WHERE pg_catalog.left(name::pg_catalog.text, 3) OPERATOR(pg_catalog.<>) 'pg_'
        ), pg_catalog.current_setting('search_path')), \(isLocal))
        """
    }
}

extension SQLText {
    /// Begins a transaction that writes.
    static let begin = SQLText("BEGIN ISOLATION LEVEL READ COMMITTED")
    /// Begins a transaction that reads from one snapshot.
    static let beginReading = SQLText("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    static let commit = SQLText("COMMIT")
    /// Tells the triggers of tables that the transaction is zumod's own.
    static let ownWrites = SQLText("SELECT set_config('zumod.writes', 'on', true)")
    /// Tells other servers that tables have changed.
    static let nextEpoch = SQLText("UPDATE zumod_schema SET epoch = epoch + 1")
}

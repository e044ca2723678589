import TableSQL

/// The settings that give a text or a statement its meaning. zumod's sessions have the same ones everywhere, whatever the
/// server, the database, the role or the URL says: by `TimeZone` alone a `timestamp` that is read and saved again would move
/// by hours.
///
/// What only warns, or bears on money and words that no statement of zumod's makes, stays the database's: triggers of
/// other programs may rely on it.
enum OwnSettings {
    private static let values =
        ofRows + [
            ("client_encoding", "UTF8"), ("IntervalStyle", "postgres"), ("quote_all_identifiers", "off"),
            ("array_nulls", "on"), ("bytea_output", "hex"), ("xmlbinary", "base64"), ("xmloption", "content"),
            ("default_transaction_isolation", "read committed"), ("default_transaction_deferrable", "off"),
        ]

    /// Those that statements about rows depend on. Where sessions are not kept each transaction makes these alone, as each
    /// takes its time; the others bear on triggers of other programs.
    private static let ofRows = [
        ("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("standard_conforming_strings", "on"),
        ("extra_float_digits", "1"), ("transform_null_equals", "off"), ("gin_fuzzy_search_limit", "0"),
    ]

    /// Those of which the server tells its client whenever they change.
    static let reported = [("TimeZone", "UTC"), ("DateStyle", "ISO, MDY"), ("standard_conforming_strings", "on")]

    /// Columns that make the settings for a transaction about rows.
    static var rowColumns: [String] { columns(ofRows, isLocal: true) }

    /// Columns that make the settings.
    /// - Parameter isLocal: whether for the transaction, not the session.
    static func columns(isLocal: Bool) -> [String] {
        columns(values, isLocal: isLocal) + [path(isLocal: isLocal)]
    }

    private static func columns(_ values: [(String, String)], isLocal: Bool) -> [String] {
        values.map { "pg_catalog.set_config('\($0.0)', '\($0.1)', \(isLocal))" }
    }

    /// The statement that makes them for the transaction.
    static let ofTransaction = SQLText(
        text: "SELECT " + columns(isLocal: true).joined(separator: ", "), bindings: [])

    /// The schemas of the search path stay, in their order, but nothing stands before PostgreSQL's own names: neither a
    /// schema of another's functions nor temporary tables. Where no schema exists the path stays as it is.
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

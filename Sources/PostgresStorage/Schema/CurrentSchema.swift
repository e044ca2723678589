/// The schema that the sessions find first on their search path, which has zumod's tables.
enum CurrentSchema {
    /// SQL for its number. `current_schema()::regnamespace` would fold a name with capitals, and take one with a dot or a
    /// blank for two.
    static let oid = "(SELECT oid FROM pg_namespace WHERE nspname = current_schema())"
}

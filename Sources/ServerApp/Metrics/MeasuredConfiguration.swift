import Tables

/// What of a configuration is among the metrics.
struct MeasuredConfiguration: Sendable {
    /// The tables of the configuration. Others have names that clients gave them.
    var tables: [Identifier] = []
    /// Whether there can be others.
    var hasClientTables = false
    /// The most connections of clients.
    var connectionLimit: Int?
}

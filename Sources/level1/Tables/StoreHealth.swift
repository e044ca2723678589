/// How a store is, without a way to its rows.
public protocol StoreHealth: Sendable {
    /// Asks the database for a sign of life.
    func ping() async throws(TableError)

    /// Whether the store can be used.
    func readiness() async -> Readiness

    /// The tables that the database lacks by now, by name. The others are served.
    func tablesAway() async -> [Identifier]
}

/// Whether a store can be used.
public enum Readiness: Sendable {
    case ready
    /// The reason is a sentence that anybody may read, without its full stop; the detail is for the log only.
    case notReady(reason: StaticString, detail: String)
}

extension StoreHealth {
    /// None if the store knows of no tables.
    public func tablesAway() async -> [Identifier] { [] }

    /// Ready if the database gives a sign of life.
    public func readiness() async -> Readiness {
        do throws(TableError) {
            try await ping()
            return .ready
        } catch {
            return .notReady(reason: "The database can't be reached", detail: error.detail)
        }
    }
}

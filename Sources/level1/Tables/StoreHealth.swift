/// The health of a store, without access to its rows.
public protocol StoreHealth: Sendable {
    /// Checks that the database responds.
    func ping() async throws(TableError)

    /// Returns whether the store can be used.
    func readiness() async -> Readiness

    /// Returns the names of the tables that the database currently lacks. The others are served.
    func tablesAway() async -> [Identifier]
}

/// Whether a store can be used.
public enum Readiness: Sendable {
    case ready
    /// The reason is a sentence that anyone may read, without its full stop; the detail is for the log only.
    case notReady(reason: StaticString, detail: String)
}

extension StoreHealth {
    /// Returns an empty list, for a store without tables.
    public func tablesAway() async -> [Identifier] { [] }

    /// Returns `ready` if the database responds.
    public func readiness() async -> Readiness {
        do throws(TableError) {
            try await ping()
            return .ready
        } catch {
            return .notReady(reason: "The database can't be reached", detail: error.detail)
        }
    }
}

import ContinuationTokens
import Cryptography
import HTTPModel
import Scalars
import Synchronization
import TableOperations
import Tables

/// The places in lists and the long queries that links carry, sealed with the database's key, which is read only once.
final class Continuations: Sendable {
    private let operations: TableOperations
    private let seals = Mutex<Seals?>(nil)

    private struct Seals {
        let places: CursorSeal
        let queries: QuerySeal
    }

    init(_ operations: TableOperations) {
        self.operations = operations
    }

    /// Returns the text of a place; nil if it is too long for a link.
    func text(
        of place: PageCursor, count: Int64?, in query: TableQuery, of table: Table
    ) async throws(TableError) -> String? {
        try await seals().places.text(of: place, count: count, in: query, of: table.name)
    }

    /// Returns the place that a text stands for; nil unless servers on this database made it for this query.
    func place(from text: String, in query: TableQuery, of table: Table) async throws(TableError) -> SealedCursor? {
        try await seals().places.place(from: text, in: query, of: table.name)
    }

    /// Returns the text of a query's members; nil if it can't be made.
    func text(of members: [QueryMember]) async throws(TableError) -> String? {
        try await seals().queries.text(of: members.map { ($0.name, $0.value) })
    }

    /// Returns the members that a text stands for; nil unless servers on this database made it.
    func members(from text: Substring) async throws(TableError) -> [QueryMember]? {
        try await seals().queries.members(from: text)?.map { QueryMember(name: $0.name, value: $0.value) }
    }

    /// Stores a query's text in the database for a user.
    /// - Returns: a reference to it; nil if it can't be stored.
    func reference(
        to text: String, for user: String?, asker: String, at now: Instant
    ) async throws(TableError) -> String? {
        let seal = try await seals().queries
        let reference = seal.reference(to: text, for: user)
        let query = StoredQuery(reference: reference, asker: seal.alias(of: asker), text: text, now: now)
        return try await operations.keep(query) ? reference : nil
    }

    /// Returns the members of a query stored for a user.
    func members(
        referredToBy reference: Substring, for user: String?
    ) async throws(TableError) -> [QueryMember]? {
        guard let text = try await operations.keptQuery(String(reference)) else { return nil }
        let made = try await seals().queries.reference(to: text, for: user)
        guard ConstantTime.isEqual(Array(made.utf8).span, Array(reference.utf8).span) else { return nil }
        return try await members(from: text[...])
    }

    private func seals() async throws(TableError) -> Seals {
        if let known = seals.withLock({ $0 }) { return known }
        let key = try await operations.continuationKey()
        let made = Seals(places: CursorSeal(key: key), queries: QuerySeal(key: key))
        seals.withLock { $0 = made }
        return made
    }
}

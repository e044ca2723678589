import PostgresStorage
import Synchronization
import Tables

/// Copies of databases that are made before anybody asks, since PostgreSQL takes its time for one.
final class SpareDatabases: Sendable {
    private struct State {
        var spares: [Identifier: [Identifier]] = [:]
        /// What is being made, of each template one at a time.
        var makers: [Identifier: Task<Void, Never>] = [:]
        var isClosed = false
        /// The template of which copies are kept ready: each of the others may be requested only once.
        var favourite: Identifier?
    }

    private let copies: PostgresCopies
    private let state = Mutex(State())

    /// So many are kept of each that was asked for.
    private static let kept = 4

    init(_ copies: PostgresCopies) {
        self.copies = copies
    }

    /// Keeps copies of a template ready from its first use on.
    func favour(_ template: Identifier) {
        state.withLock { $0.favourite = template }
    }

    /// A copy of a template, which nobody else has.
    func take(of template: Identifier) async throws(TableError) -> Identifier {
        let (spare, isFavourite) = state.withLock { state in
            guard state.favourite == template else { return (Identifier?.none, false) }
            return (state.spares[template, default: []].popLast(), true)
        }
        if isFavourite { refill(template) }
        if let spare { return spare }
        return try await copies.make(like: template)
    }

    private func refill(_ template: Identifier) {
        state.withLock { state in
            guard !state.isClosed, state.makers[template] == nil else { return }
            state.makers[template] = Task { [self] in
                while needsMore(template), let copy = try? await copies.make(like: template) {
                    await keep(copy, of: template)
                }
                self.state.withLock { $0.makers[template] = nil }
            }
        }
    }

    private func needsMore(_ template: Identifier) -> Bool {
        state.withLock { state in
            guard !state.isClosed, let spares = state.spares[template] else { return false }
            return spares.count < Self.kept
        }
    }

    private func keep(_ copy: Identifier, of template: Identifier) async {
        let isKept = state.withLock { state in
            guard !state.isClosed, state.spares[template] != nil else { return false }
            state.spares[template, default: []].append(copy)
            return true
        }
        if !isKept { try? await copies.drop(copy) }
    }

    /// Removes what was made from a template that is going away.
    func forget(_ template: Identifier) async {
        let (spares, maker) = state.withLock { state in
            (state.spares.removeValue(forKey: template) ?? [], state.makers[template])
        }
        await maker?.value
        for spare in spares { try? await copies.drop(spare) }
    }

    /// Removes all that nobody took.
    func close() async {
        let templates = state.withLock { state in
            state.isClosed = true
            return Array(state.spares.keys)
        }
        for template in templates { await forget(template) }
    }
}

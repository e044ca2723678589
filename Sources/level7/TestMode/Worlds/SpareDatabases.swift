import PostgresStorage
import Synchronization
import Tables

/// Copies of databases that are made in advance, since PostgreSQL takes a while for one.
final class SpareDatabases: Sendable {
    private struct State {
        var spares: [Identifier: [Identifier]] = [:]
        /// The copying tasks, at most one per template.
        var makers: [Identifier: Task<Void, Never>] = [:]
        var isClosed = false
        /// The only template of which copies are kept ready: others may be needed only once.
        var favourite: Identifier?
    }

    private let copies: PostgresCopies
    private let state = Mutex(State())

    /// How many copies are kept ready.
    private static let kept = 4

    init(_ copies: PostgresCopies) {
        self.copies = copies
    }

    /// Keeps copies of a template ready from its first use on.
    func favour(_ template: Identifier) {
        state.withLock { $0.favourite = template }
    }

    /// Returns a copy of a template that nothing else uses.
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

    /// Drops the copies of a template that is going away.
    func forget(_ template: Identifier) async {
        let (spares, maker) = state.withLock { state in
            (state.spares.removeValue(forKey: template) ?? [], state.makers[template])
        }
        await maker?.value
        for spare in spares { try? await copies.drop(spare) }
    }

    /// Drops all copies that were not taken.
    func close() async {
        let templates = state.withLock { state in
            state.isClosed = true
            return Array(state.spares.keys)
        }
        for template in templates { await forget(template) }
    }
}

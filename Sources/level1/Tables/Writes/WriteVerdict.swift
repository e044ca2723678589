/// Whether a write may be done, given what was found of its row: asked by every store, so that all refuse alike.
///
/// In order of precedence: a row that doesn't exist or is out of scope, then one that must not be written, then a
/// tombstone, and last a precondition that doesn't hold. A row that may not be seen is never revealed, whatever else is
/// wrong.
public enum WriteVerdict: Sendable, Equatable {
    /// Nothing prevents it.
    case allowed
    /// It is not done, and this is its outcome.
    case refused(WriteOutcome)
    /// It is not done, and the call throws this.
    case failed(TableError)

    /// - Parameters:
    ///   - found: the row with the write's id; nil if there is none. For an update or a delete a row out of scope
    ///     counts as none.
    ///   - rules: those of its table.
    public init(on demand: WriteDemand, found: RowState?, in rules: TableRules) {
        guard let found else {
            self = demand == .insert ? .allowed : .refused(.missing)
            return
        }
        self = demand == .insert ? Self.onID(of: found) : Self.onChange(demand, of: found, in: rules)
    }

    /// A caller who could not have written the new row is not told that its id is taken by a row that they can't see.
    private static func onID(of found: RowState) -> WriteVerdict {
        if found.isInScope { return .refused(.duplicate) }
        return found.isWritable ? .refused(.taken) : .failed(.outsideScope)
    }

    private static func onChange(_ demand: WriteDemand, of found: RowState, in rules: TableRules) -> WriteVerdict {
        guard found.isInScope else { return .refused(.missing) }
        guard found.isWritable else { return .failed(.outsideScope) }
        if found.isDeleted, rules.softDelete, !demand.includesTombstones { return .refused(.tombstone) }
        if case .none = demand.precondition { return .allowed }
        guard let version = found.version, demand.precondition.holds(for: version) else { return .refused(.mismatch) }
        return .allowed
    }

    /// Why the write is not done; nil if it may be.
    public func refusal() throws(TableError) -> WriteOutcome? {
        switch self {
        case .allowed: return nil
        case .refused(let outcome): return outcome
        case .failed(let error): throw error
        }
    }

    /// Why nothing was written although the write was allowed: the row would have become one that must not be written.
    /// Without a scope there is no such reason.
    public static func nothingWritten(to table: Identifier, in scope: RowScope?) -> TableError {
        scope == nil ? .failed(detail: "a write to \(table) wrote nothing") : .outsideScope
    }
}

extension WriteOutcome {
    /// Whether the row that the outcome speaks of is answered.
    public var showsRow: Bool {
        switch self {
        case .written, .mismatch, .duplicate, .tombstone: true
        case .missing, .taken: false
        }
    }
}

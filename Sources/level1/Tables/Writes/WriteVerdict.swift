/// Whether a write may be done, given what was found of its row. Every store uses it, so that all refuse alike.
///
/// In order of precedence: a row that doesn't exist or is out of scope, one that must not be written, a tombstone, a
/// precondition that doesn't hold. A row that may not be seen is never revealed, whatever else is wrong.
public enum WriteVerdict: Sendable, Equatable {
    /// Nothing prevents it.
    case allowed
    /// The write is not done and has this outcome.
    case refused(WriteOutcome)
    /// The write is not done and throws this error.
    case failed(TableError)

    /// - Parameters:
    ///   - found: the row with the write's id; nil if there is none. For an update or a delete, a row out of scope
    ///     counts as none.
    ///   - rules: the rules of its table.
    public init(on demand: WriteDemand, found: RowState?, in rules: TableRules) {
        guard let found else {
            self = demand == .insert ? .allowed : .refused(.missing)
            return
        }
        self = demand == .insert ? Self.onID(of: found) : Self.onChange(demand, of: found, in: rules)
    }

    /// A caller who could not have written the new row isn't told that its id is taken by a row that they can't see.
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

    /// Returns why the write is not done; nil if it may be.
    public func refusal() throws(TableError) -> WriteOutcome? {
        switch self {
        case .allowed: return nil
        case .refused(let outcome): return outcome
        case .failed(let error): throw error
        }
    }

    /// Returns why an allowed write wrote nothing: the row would have become one that must not be written. Without a
    /// scope there is no such reason.
    public static func nothingWritten(to table: Identifier, in scope: RowScope?) -> TableError {
        scope == nil
            ? .refused(.rule, detail: "a write to \(table) wrote nothing, as another program's trigger may have it")
            : .outsideScope
    }
}

extension WriteOutcome {
    /// Whether the answer includes the row that the outcome refers to.
    public var showsRow: Bool {
        switch self {
        case .written, .mismatch, .duplicate, .tombstone: true
        case .missing, .taken: false
        }
    }
}

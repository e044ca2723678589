public import Access
public import Tables

/// A table, with proof that a caller was admitted to operate on its rows, which can only be reached through it.
///
/// `Right` names the operation: `Reading`, `Looking`, `Inserting`, `Updating`, `Deleting` or `Undeleting`. Only
/// `TableOperations` creates these, and each is valid only for its caller.
public struct AdmittedTable<Right>: Sendable {
    /// The table; the caller sees only the rows in its scope.
    public let table: Table
    /// The admitted caller.
    public let caller: Principal
    /// The caller's request; nil if no script needs it.
    let request: CurrentRequest?

    fileprivate init(_ table: Table, _ caller: Principal, _ request: CurrentRequest?) {
        self.table = table
        self.caller = caller
        self.request = request
    }

    /// For finding a row that is about to be written. Don't pass it on: it would also allow listing rows.
    var finding: AdmittedTable<Reading> { AdmittedTable<Reading>(table, caller, request) }
}

/// The right to read rows.
public enum Reading {}
/// The right to look at one row that is about to be written.
public enum Looking {}
/// The right to insert rows.
public enum Inserting {}
/// The right to update rows.
public enum Updating {}
/// The right to turn rows into tombstones, or to remove them.
public enum Deleting {}
/// The right to turn tombstones back into live rows.
public enum Undeleting {}

/// What a caller was admitted to: one of the five operations on a table.
public enum TableAdmission: Sendable {
    case read(AdmittedTable<Reading>)
    case insert(AdmittedTable<Inserting>)
    case update(AdmittedTable<Updating>)
    case delete(AdmittedTable<Deleting>)
    case undelete(AdmittedTable<Undeleting>)
}

/// Why a caller was not admitted.
public enum AdmissionFault: Error, Sendable, Equatable {
    /// The caller has to authenticate, or authenticate as someone else.
    case unauthorized
    /// No one may perform this operation.
    case disabled(Operation)
}

extension TableOperations {
    /// Admits a caller to an operation, if the table's access rules allow it.
    /// - Parameter request: the caller's request, for scripts.
    public func admit(
        _ caller: Principal, to operation: Operation, of table: Table, by request: CurrentRequest? = nil
    ) throws(AdmissionFault) -> TableAdmission {
        switch decision(on: operation, of: table, for: caller) {
        case .allowed: break
        case .unauthorized: throw .unauthorized
        case .disabled: throw .disabled(operation)
        }
        return switch operation {
        case .read: .read(AdmittedTable(table, caller, request))
        case .insert: .insert(AdmittedTable(table, caller, request))
        case .update: .update(AdmittedTable(table, caller, request))
        case .delete: .delete(AdmittedTable(table, caller, request))
        case .undelete: .undelete(AdmittedTable(table, caller, request))
        }
    }
}

// Callers who may change or delete a row may look at it first: v3's conditions are about the row being written.
extension AdmittedTable<Updating> {
    /// The same table, for looking at the row about to be changed.
    public var looking: AdmittedTable<Looking> { AdmittedTable<Looking>(table, caller, request) }
}

extension AdmittedTable<Deleting> {
    /// The same table, for looking at the row about to be deleted.
    public var looking: AdmittedTable<Looking> { AdmittedTable<Looking>(table, caller, request) }
}

/// How an update changes a row's `deleted`, with the right to do so.
public enum DeletionChange: Sendable {
    /// The row becomes a tombstone.
    case ends(AdmittedTable<Deleting>)
    /// The row becomes a live row, or stays one.
    case begins(AdmittedTable<Undeleting>)

    /// The row's new `deleted`.
    var deleted: Bool {
        if case .ends = self { true } else { false }
    }
}

/// Admits the server's own code to everything, whatever the table requires of its clients. The rows are still limited
/// to the caller's; `ServerTables.asServer` covers everyone's.
struct ServerAdmission {
    let table: Table
    let caller: Principal
    let request: CurrentRequest?

    func admitted<Right>() -> AdmittedTable<Right> { AdmittedTable(table, caller, request) }
}

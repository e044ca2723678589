public import Access
public import Tables

/// A table, with the proof that a caller was admitted to do something with its rows: rows are reached through it alone.
///
/// `Right` says to what: `Reading`, `Looking`, `Inserting`, `Updating`, `Deleting` or `Undeleting`. Only `TableOperations` makes one,
/// and it is good for its caller and for no other.
public struct AdmittedTable<Right>: Sendable {
    /// The table, whose rows the caller sees as far as its scope goes.
    public let table: Table
    /// Who was admitted.
    public let caller: Principal
    /// The request by which they ask; nil where no script will.
    let request: CurrentRequest?

    fileprivate init(_ table: Table, _ caller: Principal, _ request: CurrentRequest?) {
        self.table = table
        self.caller = caller
        self.request = request
    }

    /// What finds a row that is about to be written; not to be handed on, as it would list them too.
    var finding: AdmittedTable<Reading> { AdmittedTable<Reading>(table, caller, request) }
}

/// The right to see rows.
public enum Reading {}
/// The right to see one row that is about to be written.
public enum Looking {}
/// The right to make rows.
public enum Inserting {}
/// The right to change rows.
public enum Updating {}
/// The right to make rows tombstones, or to remove them.
public enum Deleting {}
/// The right to make tombstones live rows again.
public enum Undeleting {}

/// What a caller was admitted to, of the five things that can be done with a table.
public enum TableAdmission: Sendable {
    case read(AdmittedTable<Reading>)
    case insert(AdmittedTable<Inserting>)
    case update(AdmittedTable<Updating>)
    case delete(AdmittedTable<Deleting>)
    case undelete(AdmittedTable<Undeleting>)
}

/// Why a caller was not admitted.
public enum AdmissionFault: Error, Sendable, Equatable {
    /// They have to say who they are, or somebody else has to ask.
    case unauthorized
    /// Nobody may do it.
    case disabled(Operation)
}

extension TableOperations {
    /// Admits a caller to an operation, as far as the table's rules let them.
    /// - Parameter request: by which they ask, for scripts.
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

// Who may change or delete a row may look at it first: v3's conditions are about the row that is written.
extension AdmittedTable<Updating> {
    /// The same table, to look at the row that is about to be changed.
    public var looking: AdmittedTable<Looking> { AdmittedTable<Looking>(table, caller, request) }
}

extension AdmittedTable<Deleting> {
    /// The same table, to look at the row that is about to be deleted.
    public var looking: AdmittedTable<Looking> { AdmittedTable<Looking>(table, caller, request) }
}

/// What an update does to a row's life, with the right to do it.
public enum DeletionChange: Sendable {
    /// It becomes a tombstone.
    case ends(AdmittedTable<Deleting>)
    /// It becomes a live row, or stays one.
    case begins(AdmittedTable<Undeleting>)

    /// What the row's `deleted` becomes.
    var deleted: Bool {
        if case .ends = self { true } else { false }
    }
}

/// What the server's own code may do with a table: everything, whatever the table asks of its clients. Its rows are those
/// of the caller all the same; `ServerTables.asServer` has those of everybody.
struct ServerAdmission {
    let table: Table
    let caller: Principal
    let request: CurrentRequest?

    func admitted<Right>() -> AdmittedTable<Right> { AdmittedTable(table, caller, request) }
}

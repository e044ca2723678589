import Access
import HTTPModel
import TableOperations
import Tables

/// The shared part of PUT and PATCH: a change that may also delete or undelete the row.
struct DatasyncUpdate {
    let request: TableRequest
    let admitted: AdmittedTable<Updating>
    let id: RowID
    let includesTombstones: Bool
    /// The new value of the row's `deleted`, as far as it is known from the request alone.
    let deleted: Bool?
    /// Whether the row's values are needed.
    let readsRow: Bool

    /// Performs the update and answers with the row.
    /// - Parameter update: returns the change to a row. If the question is only whether the row exists, it ignores its
    ///   own conditions.
    func answer(
        _ update: (DatasyncRow?, _ isOnlyAsked: Bool) throws(RequestError) -> RowUpdate
    ) async throws(RequestError) -> OperationAnswer<HTTPResponse> {
        let look = DatasyncPreread(request: request, admitted: admitted.looking, id: id, keepsValues: readsRow)
        let write = DatasyncWrite(look: look, includesTombstones: includesTombstones)
        let call = request.call
        return try await write.perform(readsRow: readsRow || needsLeave) { row, isOnlyAsked throws(RequestError) in
            var update = isOnlyAsked ? (try? update(row, true)) ?? RowUpdate([]) : try update(row, false)
            let life = isOnlyAsked ? nil : try life(by: update, of: row)
            update.renewsAlways = true
            return .update(id, update, life, in: admitted, call)
        }
    }

    /// Whether the caller may lack permission for the change to `deleted`.
    private var needsLeave: Bool {
        guard request.table.rules.softDelete else { return false }
        return switch deleted {
        case true?: !mayDo(.delete)
        case false?: includesTombstones && !mayDo(.undelete)
        case nil: false
        }
    }

    private func mayDo(_ operation: Operation) -> Bool {
        request.operations.decision(on: operation, of: request.table, for: request.caller) == .allowed
    }

    /// Permission to update doesn't include deleting or undeleting.
    private func life(by update: RowUpdate, of row: DatasyncRow?) throws(RequestError) -> DeletionChange? {
        guard request.table.rules.softDelete, let deleted = update.deleted, deleted != row?.isDeleted else {
            return nil
        }
        // A row that is live begins no other life, and no tombstone is meant.
        if !deleted, !includesTombstones { return nil }
        return switch try request.admit(to: deleted ? .delete : .undelete) {
        case .delete(let admitted): .ends(admitted)
        case .undelete(let admitted): .begins(admitted)
        case .read, .insert, .update: nil
        }
    }
}

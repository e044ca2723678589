import Access
import HTTPModel
import JSONText
public import Tables

// What a refused write reveals about the row in its way. If the table has a script around reads, only the script knows
// which rows a caller may see: a refusal shows what the caller's own read would.
extension TableOperations {
    /// Whether a script says which rows callers see.
    func hidesRows<Right>(of admitted: AdmittedTable<Right>) -> Bool { scripts(around: .read, of: admitted) != nil }

    /// Returns the result of a write as its caller may see it, without a row that the caller's own read would not show.
    func shown<Row: RowVisitor>(
        _ result: WriteResult<RowTee<Row>>, of write: TableWrite
    ) async throws(OperationError) -> OperationAnswer<WriteResult<Row>> {
        let (table, row) = (write.table, result.row)
        guard result.outcome != .written, result.outcome.showsRow, !row.isOfScript,
            hidesRows(of: write.looking) || result.outcome == .duplicate,
            let id = row.seen?.records.last?.id.flatMap({ RowID($0, in: table) })
        else { return .result(result.unobserved()) }
        switch try await sight(of: id, in: write.looking) {
        case .whole: return .result(result.unobserved())
        case .shaped(var answer):
            answer.isTombstone = result.outcome == .tombstone
            answer.isInTheWay =
                result.outcome != .mismatch || behaviour(of: table).policy(for: write) != .serverWins
            return .script(answer)
        case .none: return .result(WriteResult(result.outcome == .duplicate ? .taken : .missing, row.row))
        }
    }

    /// Returns what a caller's own read would show of a row, even of a tombstone.
    private func sight(of id: RowID, in admitted: AdmittedTable<Reading>) async throws(OperationError) -> RowVisibility
    {
        let table = admitted.table
        let mayRead = decision(on: .read, of: table, for: admitted.caller) == .allowed
        guard let scripts = scripts(around: .read, of: admitted) else {
            // Callers who may update the row see it anyway, unless a script around updates may refuse them.
            return mayRead || self.scripts(around: .update, of: admitted) == nil ? .whole : .none
        }
        guard mayRead else { return .none }
        do throws(OperationError) {
            let answer = try await scripted(
                by: scripts, .read, id: id, in: admitted, isAside: true,
                outcome: { (found: VisitedRecords?, execution) in
                    guard let record = found?.records.last else {
                        return .failed(ScriptedFailure(kind: .missing, row: nil, execution: execution))
                    }
                    return .row(record)
                }
            ) { change, _, _ throws(OperationError) in
                guard change.row(insteadOf: id, in: table) == id else { return .result(nil) }
                return .result(
                    try await self.findRow(
                        id, in: admitted, select: nil, includeDeleted: true, where: change.query.condition,
                        into: VisitedRecords()))
            }
            return switch answer {
            case .result(let found): found?.records.isEmpty == false ? .whole : .none
            case .script(let answer): answer.shows(id) ? .shaped(ScriptedAnswer(nil, answer.body)) : .none
            }
        } catch {
            switch error {
            case .table(.busy), .table(.crowded), .scripts: throw error
            case .hook(let detail):
                report("read of \(table.name), to know whether a refusal may show its row: \(detail)")
                return .none
            case .table, .required, .refused: return .none
            }
        }
    }

    /// Returns whether the caller's own reads would show a row. A change may not be computed from a row that its caller
    /// may not read, since the result would reveal the row.
    public func maySee(_ id: RowID, in admitted: AdmittedTable<Looking>) async throws(OperationError) -> Bool {
        if !hidesRows(of: admitted) { return decision(on: .read, of: admitted.table, for: admitted.caller) == .allowed }
        return try await isSeen(id, in: admitted.finding)
    }

    /// Returns whether a script that decides which rows its callers see shows a row to this one.
    func isSeen(_ id: RowID, in admitted: AdmittedTable<Reading>) async throws(OperationError) -> Bool {
        guard hidesRows(of: admitted) else { return true }
        if case .none = try await sight(of: id, in: admitted) { return false }
        return true
    }
}

/// What a caller's own read shows of a row.
enum RowVisibility {
    /// The row as it is.
    case whole
    /// The row as its script has changed it.
    case shaped(ScriptedAnswer)
    case none
}

extension ScriptedAnswer {
    /// Returns whether it is the row with an id, or what a script has made of it.
    fileprivate func shows(_ id: RowID) -> Bool {
        guard status.map({ $0.rawValue < 300 }) ?? true, let own = body?["id"] else { return false }
        return own.textValue.map { RowID.text($0) } == id || own.integerValue.map { RowID.integer($0) } == id
    }
}

import Access
import HTTPModel
import JSONText
public import Tables

// What a caller whose write was refused is told of the row that stood in its way. Where a script stands around reads, only
// the script knows which rows a caller may see: a refusal shows what the caller's own read would.
extension TableOperations {
    /// Whether a script says which rows callers see.
    func hidesRows(of table: Table) -> Bool { scripts(around: .read, of: table) != nil }

    /// The result of a write as its caller may see it: a row that the caller's own read would not show is none.
    func shown<Row: RowVisitor>(
        _ result: WriteResult<ObservedRow<Row>>, in table: Table, for caller: Principal, _ call: WriteCall
    ) async throws(OperationError) -> WriteResult<Row> {
        let row = result.row
        let plain = WriteResult(result.outcome, row.row, isRepeat: result.isRepeat)
        guard result.outcome != .written, result.outcome.showsRow, !row.isOfScript,
            let id = row.seen?.records.last?.id.flatMap({ RowID($0, in: table) })
        else { return plain }
        if !hidesRows(of: table), result.outcome != .duplicate { return plain }
        switch try await sight(of: id, in: table, for: caller) {
        case .whole: return plain
        case .shaped(var answer):
            answer.isTombstone = result.outcome == .tombstone
            answer.isInTheWay =
                result.outcome != .mismatch || behaviour(of: table).policy(for: call) != .serverWins
            throw .answered(answer)
        case .none: return WriteResult(result.outcome == .duplicate ? .taken : .missing, row.row)
        }
    }

    /// What a caller's own read of a row would show, tombstones too.
    func sight(
        of id: RowID, in table: Table, for caller: Principal
    ) async throws(OperationError) -> RowSight {
        let mayRead = decision(on: .read, of: table, for: caller) == .allowed
        guard let scripts = scripts(around: .read, of: table) else {
            // Who may change the row is shown it by that; where a script stands around changes, by none that it refuses.
            return mayRead || self.scripts(around: .update, of: table) == nil ? .whole : .none
        }
        guard mayRead else { return .none }
        let reading = OwnAdmission(table, rowsOf: caller).reading
        do throws(OperationError) {
            let found = try await scripted(
                by: scripts, .read, id: id, in: table, for: caller, isAside: true,
                outcome: { (found: VisitedRecords?, execution) in
                    guard let record = found?.records.last else {
                        return .failed(ScriptedFailure(kind: .missing, row: nil, execution: execution))
                    }
                    return .row(record)
                }
            ) { change, _ throws(OperationError) in
                guard change.row(insteadOf: id, in: table) == id else { return nil }
                return try await self.findRow(
                    id, in: reading, select: nil, includeDeleted: true, where: change.query.condition,
                    into: VisitedRecords())
            }
            return found?.records.isEmpty == false ? .whole : .none
        } catch {
            if case .table(.busy) = error { throw error }
            if case .table(.crowded) = error { throw error }
            if case .hook(let detail) = error {
                report("read of \(table.name), to know whether a refusal may show its row: \(detail)")
            }
            guard case .answered(let answer) = error, answer.shows(id) else { return .none }
            return .shaped(ScriptedAnswer(nil, answer.body))
        }
    }

    /// Whether the caller's own reads would show a row: who may not read it may not have a change made of what it holds, as
    /// what comes of that tells it.
    public func maySee(_ id: RowID, in admitted: AdmittedTable<Looking>) async throws(OperationError) -> Bool {
        if !hidesRows(of: admitted.table) {
            return decision(on: .read, of: admitted.table, for: admitted.caller) == .allowed
        }
        if case .none = try await sight(of: id, in: admitted.table, for: admitted.caller) { return false }
        return true
    }

    /// Does a write that no script stands around, where one stands around reads: to no row that the caller would not see.
    /// Whose row may be brought back no script says, and who brings one back is shown it.
    func ofSeen<Row: RowVisitor>(
        _ id: RowID, in table: Table, for caller: Principal, into row: Row,
        _ write: () async throws(OperationError) -> WriteResult<ObservedRow<Row>>
    ) async throws(OperationError) -> WriteResult<ObservedRow<Row>> {
        if case .none = try await sight(of: id, in: table, for: caller) {
            return WriteResult(.missing, ObservedRow(row, if: false))
        }
        return try await write()
    }

    /// Whether there is a row that a change would be about: what is asked before a caller is told why it can't be made.
    /// - Parameter isOfScript: whether the write's own script has said which rows it is about.
    /// - Throws: `onlyAsked` where there is one.
    func answerToQuestion<Row: RowVisitor>(
        of id: RowID, isOfScript: Bool, in table: Table, for caller: Principal, into row: Row
    ) async throws(OperationError) -> WriteResult<Row> {
        if isOfScript || !hidesRows(of: table) { throw .onlyAsked }
        switch try await sight(of: id, in: table, for: caller) {
        case .whole, .shaped: throw .onlyAsked
        case .none: return WriteResult(.missing, row)
        }
    }
}

/// What a caller's own read shows of a row.
enum RowSight {
    /// The row as it is.
    case whole
    /// What its script has made of it.
    case shaped(ScriptedAnswer)
    case none
}

extension ScriptedAnswer {
    /// Whether it is the row with an id, or what a script has made of it.
    fileprivate func shows(_ id: RowID) -> Bool {
        guard status.map({ $0.rawValue < 300 }) ?? true, let own = body?["id"] else { return false }
        return own.textValue.map { RowID.text($0) } == id || own.integerValue.map { RowID.integer($0) } == id
    }
}

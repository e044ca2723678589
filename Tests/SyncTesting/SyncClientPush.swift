import WireTesting

extension SyncClient {
    /// Sends the pending operations in their order. One whose answer got lost stays, and is sent again by the next push.
    /// - Throws: `connectionLost` and a refusal for want of a login at once, other refusals when the rest is sent.
    public func push() throws(SyncFailure) {
        var refusal: SyncFailure?
        for operation in queue {
            do throws(SyncFailure) {
                try send(operation)
                queue.removeAll { $0.id == operation.id }
            } catch {
                switch error {
                case .refused(let status, _) where !status.hasPrefix("401"): refusal = error
                case .refused, .connectionLost, .unreadable: throw error
                }
            }
        }
        if let refusal { throw refusal }
    }

    private func send(_ operation: PendingOperation) throws(SyncFailure) {
        let row = rows[operation.id] ?? SyncedRow(id: operation.id)
        var write: RowWrite =
            switch operation.kind {
            case .insert: .insert(row)
            case .update: .update(row, ifMatch: row.version)
            case .delete: .delete(id: operation.id, ifMatch: operation.version)
            }
        if let index = queue.firstIndex(of: operation) { queue[index].wasSent = true }
        // Others may write again and again; an app gives up some time.
        for _ in 0..<50 {
            switch try outcome(of: write) {
            case .done(let answered):
                if let answered { keep(answered, over: row) }
                return
            case .gone:
                guard let again = try revival(of: row, after: write) else {
                    rows[operation.id] = nil
                    return
                }
                write = again
            case .conflict(let current):
                if choice == .serverWins {
                    try take(current, of: operation.id)
                    return
                }
                write = repetition(of: write, over: current)
            }
        }
        throw .unreadable("fifty conflicts in a row about \(operation.id)")
    }

    private func outcome(of write: RowWrite) throws(SyncFailure) -> WriteOutcome {
        guard let request = library.request(for: write) else { return .gone }
        return try library.outcome(of: write, try connection.exchange(request))
    }

    /// Some libraries merge a write's answer into the row, the others put it in the row's place.
    private func keep(_ answered: SyncedRow, over row: SyncedRow) {
        var answered = answered
        if library.mergesAnswers { answered.columns = row.columns.merging(answered.columns) { $1 } }
        keep(answered)
    }

    /// Makes a row live again that is to win over its deletion.
    private func revival(of row: SyncedRow, after write: RowWrite) throws(SyncFailure) -> RowWrite? {
        guard choice == .clientWins, case .update = write,
            case .done(let revived?) = try outcome(of: .undelete(id: row.id, ifMatch: nil))
        else { return nil }
        return .update(row, ifMatch: revived.version)
    }

    /// The server's row instead of the client's; asked for where the answer didn't have it.
    private func take(_ current: SyncedRow?, of id: String) throws(SyncFailure) {
        if let current {
            keep(current)
            return
        }
        let response = try connection.exchange(library.lookup(id))
        switch response.code {
        case 200: keep(try library.row(of: response))
        case 404, 410: rows[id] = nil
        default: throw .refused(status: response.status, body: response.text)
        }
    }

    /// The client's row once more, now over the server's version.
    private func repetition(of write: RowWrite, over current: SyncedRow?) -> RowWrite {
        let version = library.insistsWithoutIfMatch ? nil : current?.version
        return switch write {
        case .insert(let row), .update(let row, _): .update(row, ifMatch: version)
        case .delete(let id, _): .delete(id: id, ifMatch: version)
        case .undelete(let id, _): .undelete(id: id, ifMatch: version)
        }
    }
}

import Platform
import StoreMetrics
import Tables

/// One run of the writer: its writes, then its reads. `CommitSequence` decides which writes share a transaction.
struct WriteBatch {
    private let session: WriteSession

    private let watch: StoreInstrumentation

    init(_ session: WriteSession, _ watch: StoreInstrumentation = StoreInstrumentation()) {
        self.session = session
        self.watch = watch
    }

    func run(_ jobs: [WriterJob]) {
        var writes: [SQLitePendingWrite] = []
        var alone: [Int] = []
        var reads: [@Sendable (WriteSession) -> Void] = []
        for job in jobs {
            switch job {
            case .write(let write):
                if write.isAlone { alone.append(writes.count) }
                writes.append(write)
            case .read(let read): reads.append(read)
            }
        }
        if !writes.isEmpty {
            let now = Clocks.exact
            for write in writes {
                // The clocks of two processors may differ.
                let waited = now > write.arrival ? now - write.arrival : 0
                watch.waited(for: .writes, nanoseconds: Int64(waited))
            }
        }
        commit(writes, alone: alone)
        for read in reads { read(session) }
    }

    private func commit(_ writes: [SQLitePendingWrite], alone: [Int]) {
        var sequence = CommitSequence(count: writes.count, alone: alone)
        var verdicts: [SQLitePendingWrite.Verdict] = []
        verdicts.reserveCapacity(writes.count)
        var failure: TableError?
        var action = sequence.first
        while true {
            do throws(TableError) {
                switch action {
                case .beginAnew:
                    session.takeBack()
                    action = .begin
                case .begin:
                    if !verdicts.isEmpty { verdicts.removeAll(keepingCapacity: true) }
                    try session.begin()
                    action = sequence.begun()
                case .perform(let index, let withSavepoint):
                    if let verdict = writes[index].perform(session, withSavepoint) {
                        verdicts.append(verdict)
                        action = sequence.performed(isInTransaction: session.connection.isInTransaction)
                    } else {
                        action = sequence.spoiled()
                    }
                case .commit:
                    try session.commit()
                    watch.committed(writes: verdicts.count)
                    failure = nil
                    action = sequence.committed()
                case .giveUp:
                    session.rollback()
                    throw .unavailable(detail: "the transaction was given up by another write's failure")
                case .answer(let members):
                    precondition(members.count == verdicts.count, "each write is answered once")
                    for verdict in verdicts { verdict(failure) }
                    action = sequence.answered()
                case .refuse, .end:
                    return
                }
            } catch {
                watch.failedToCommit()
                failure = error
                // It is unknown whose row it is, and nobody else may take that for final.
                if case .refused(_, let detail) = error, verdicts.count > 1 { failure = .failed(detail: detail) }
                action = sequence.failed()
                if case .refuse(let members) = action {
                    for write in writes[members] { write.refuse(error) }
                }
            }
        }
    }
}

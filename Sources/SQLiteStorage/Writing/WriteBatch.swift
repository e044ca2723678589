import Platform
import StoreMetrics
import Tables

/// One run of the writer: its writes in one transaction, then its reads.
struct WriteBatch {
    private let session: WriteSession

    private let watch: StoreInstrumentation

    init(_ session: WriteSession, _ watch: StoreInstrumentation = StoreInstrumentation()) {
        self.session = session
        self.watch = watch
    }

    func run(_ jobs: [WriterJob]) {
        var writes: [PendingWrite] = []
        var reads: [@Sendable (WriteSession) -> Void] = []
        for job in jobs {
            switch job {
            case .write(let write): writes.append(write)
            case .read(let read): reads.append(read)
            }
        }
        if !writes.isEmpty {
            let now = Clocks.exact
            for write in writes {
                // Two processors may disagree about a moment.
                let waited = now > write.arrival ? now - write.arrival : 0
                watch.waited(for: .writes, nanoseconds: Int64(waited))
            }
        }
        var rest = writes[...]
        while !rest.isEmpty { commit(&rest) }
        for read in reads { read(session) }
    }

    /// Commits writes together: all of them, those up to one that has a commit of its own, or those up to the one at which
    /// SQLite gave the transaction up.
    private func commit(_ writes: inout ArraySlice<PendingWrite>) {
        let verdicts: [PendingWrite.Verdict]
        do throws(TableError) {
            // Hardly any write fails halfway, so that savepoints for each would cost more than to begin anew.
            if let done = try perform(writes, withSavepoints: false) {
                verdicts = done
            } else {
                verdicts = try perform(writes, withSavepoints: true) ?? []
            }
        } catch {
            watch.failedToCommit()
            for write in writes { write.refuse(error) }
            writes = []
            return
        }
        writes.removeFirst(verdicts.count)
        var failure: TableError?
        do throws(TableError) {
            guard session.connection.isInTransaction else {
                session.rollback()
                throw .unavailable(detail: "the transaction was given up by another write's failure")
            }
            try session.commit()
            watch.committed(writes: verdicts.count)
        } catch {
            watch.failedToCommit()
            failure = error
        }
        for verdict in verdicts { verdict(failure) }
    }

    /// Begins a transaction and does in it what is to be committed together.
    /// - Returns: nil where all was undone, since a write without a savepoint failed and left something behind.
    private func perform(
        _ writes: ArraySlice<PendingWrite>, withSavepoints: Bool
    ) throws(TableError) -> [PendingWrite.Verdict]? {
        try session.begin()
        var verdicts: [PendingWrite.Verdict] = []
        verdicts.reserveCapacity(writes.count)
        for write in writes {
            if write.isAlone, !verdicts.isEmpty { break }
            guard let verdict = write.perform(session, withSavepoints) else {
                session.takeBack()
                return nil
            }
            verdicts.append(verdict)
            if write.isAlone || !session.connection.isInTransaction { break }
        }
        return verdicts
    }
}

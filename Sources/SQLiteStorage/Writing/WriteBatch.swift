import StoreMetrics
import Tables

/// One run of the writer: its writes in one transaction, then its reads.
struct WriteBatch {
    private let session: WriteSession

    private let watch: StoreWatch

    init(_ session: WriteSession, _ watch: StoreWatch = StoreWatch()) {
        self.session = session
        self.watch = watch
    }

    func run(_ jobs: [WriterJob]) {
        var writes: [PendingWrite] = []
        var reads: [@Sendable (SQLiteConnection) -> Void] = []
        for job in jobs {
            switch job {
            case .write(let write): writes.append(write)
            case .read(let read): reads.append(read)
            }
        }
        if !writes.isEmpty {
            let now = ContinuousClock.now
            for write in writes { watch.waited(for: .writes, write.arrival.duration(to: now)) }
        }
        var rest = writes[...]
        while !rest.isEmpty { commit(&rest) }
        for read in reads { read(session.connection) }
    }

    /// Commits writes together: all of them, those up to one that has a commit of its own, or those up to the one at which
    /// SQLite gave the transaction up.
    private func commit(_ writes: inout ArraySlice<PendingWrite>) {
        do throws(TableError) {
            try session.begin()
        } catch {
            watch.failedToCommit()
            for write in writes { write.refuse(error) }
            writes = []
            return
        }
        var verdicts: [PendingWrite.Verdict] = []
        verdicts.reserveCapacity(writes.count)
        while let write = writes.first, verdicts.isEmpty || !write.isAlone {
            writes.removeFirst()
            verdicts.append(write.perform(session))
            if write.isAlone || !session.connection.isInTransaction { break }
        }
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
}

import Tables

/// One run of the writer: its writes in one transaction, then its reads.
struct WriteBatch {
    private let session: WriteSession

    init(_ session: WriteSession) {
        self.session = session
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
        var rest = writes[...]
        while !rest.isEmpty { commit(&rest) }
        for read in reads { read(session.connection) }
    }

    /// Commits writes together: all of them, or those up to the one at which SQLite gave the transaction up.
    private func commit(_ writes: inout ArraySlice<PendingWrite>) {
        do throws(TableError) {
            try session.begin()
        } catch {
            for write in writes { write.refuse(error) }
            writes = []
            return
        }
        var verdicts: [PendingWrite.Verdict] = []
        verdicts.reserveCapacity(writes.count)
        while let write = writes.popFirst() {
            verdicts.append(write.perform(session))
            if !session.connection.isInTransaction { break }
        }
        var failure: TableError?
        do throws(TableError) {
            guard session.connection.isInTransaction else {
                session.rollback()
                throw .unavailable(detail: "the transaction was given up by another write's failure")
            }
            try session.commit()
        } catch {
            failure = error
        }
        for verdict in verdicts { verdict(failure) }
    }
}

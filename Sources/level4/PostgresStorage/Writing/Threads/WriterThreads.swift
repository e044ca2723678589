import StoreMetrics
import TableSQL
import Tables
import WorkThreads

/// The threads that write, each to one table at a time and with its own connection while it does.
final class WriterThreads: Sendable {
    private let queue: WriteQueue
    private let threads = RunningThreads()
    private let watch: StoreInstrumentation

    init(
        _ connections: ConnectionPool, _ settings: PostgresSettings, catalog: PostgresTableCatalog,
        reader: CatalogReader,
        clock: @escaping Clock
    ) {
        let count = max(settings.writingConnections, 1)
        watch = settings.watch
        queue = WriteQueue(patience: settings.patience, threads: count)
        let marks = TransactionMarks()
        for number in 1...count {
            threads.start("zumod-write-\(number)") { [queue] in
                queue.arrive()
                let writer = Writer(connections, settings, catalog: catalog, reader: reader, marks, clock: clock)
                while let work = queue.take() {
                    assert(
                        Set(work.writes.map(\.write.write.table)).count <= 1, "a thread writes to one table at a time")
                    if !work.wasHeldUp {
                        let now = ContinuousClock.now
                        for (_, deadline) in work.writes {
                            settings.watch.waited(for: .writes, (deadline - settings.patience).duration(to: now))
                        }
                    }
                    queue.finish(work, writer.run(work))
                }
            }
        }
    }

    deinit {
        queue.close()
    }

    /// Performs a write and returns when it is durable.
    func write<Row: RowVisitor>(_ write: RowWrite, into row: Row) async throws(TableError) -> WriteResult<Row> {
        let result: Result<WriteResult<Row>, TableError> = await withCheckedContinuation { continuation in
            queue.push(PostgresPendingWrite(write, into: row, continuation))
        }
        let written = try result.get()
        if written.isRepeat { watch.answeredRepeat() }
        return written
    }

    /// The number of waiting writes.
    var waitingCount: Int { queue.waitingCount }

    /// Accepts no more writes, and returns when the waiting ones are done.
    func close() async {
        queue.close()
        await threads.ended()
    }
}

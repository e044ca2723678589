import Tables

/// The threads that write, each with a connection of its own. All writes of a table take the same one, so that those
/// that wait at a time share a transaction and its table's lock.
final class WriterThreads: Sendable {
    private let queues: [RequestQueue<PendingWrite>]
    private let threads = RunningThreads()

    /// The most writes of one transaction: what bounds the time that the first of them waits.
    private static let largestBatch = 256

    init(
        _ address: PostgresAddress, _ settings: PostgresSettings, catalog: TableCatalog, reader: CatalogReader,
        clock: @escaping Clock
    ) {
        queues = (0..<max(settings.writingConnections, 1)).map { _ in RequestQueue(patience: settings.patience) }
        for (number, queue) in queues.enumerated() {
            threads.start("zumod-write-\(number + 1)") {
                let writer = Writer(
                    ConnectionHolder(address, settings), catalog: catalog, reader: reader, clock: clock,
                    patience: settings.patience)
                while let writes = queue.take(upTo: Self.largestBatch) { writer.run(writes) }
            }
        }
    }

    deinit {
        for queue in queues { queue.close() }
    }

    /// Does a write and returns when it is durable.
    func write<Row: RowVisitor>(_ write: RowWrite, into row: Row) async throws(TableError) -> WriteResult<Row> {
        let queue = queues[Int(UInt(bitPattern: write.table.hashValue) % UInt(queues.count))]
        let result: Result<WriteResult<Row>, TableError> = await withCheckedContinuation { continuation in
            queue.push(PendingWrite(write, into: row, continuation))
        }
        return try result.get()
    }

    /// Takes no more writes, and returns when those that wait are done and the connections closed.
    func close() async {
        for queue in queues { queue.close() }
        await threads.ended()
    }
}

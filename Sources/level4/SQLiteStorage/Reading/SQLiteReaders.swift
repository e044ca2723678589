import StoreMetrics
import Synchronization
import Tables

/// The free reading connections of a file. One is opened if none is free, so there are as many as reading threads.
final class SQLiteReaders: Sendable {
    private struct State {
        var free: [SQLiteConnection] = []
        var isClosed = false
    }

    private let location: SQLiteLocation
    private let watch: StoreInstrumentation
    private let state = Mutex(State())

    init(_ location: SQLiteLocation, _ watch: StoreInstrumentation) {
        self.location = location
        self.watch = watch
    }

    /// Lends a connection for the duration of a call.
    func read<Success>(
        _ body: (SQLiteConnection) throws(TableError) -> Success
    ) throws(TableError) -> Success {
        let connection = try take()
        defer { giveBack(connection) }
        return try body(connection)
    }

    /// Lends a connection, which has to be returned.
    func take() throws(TableError) -> SQLiteConnection {
        let (free, isClosed) = state.withLock { ($0.free.popLast(), $0.isClosed) }
        if let free { return free }
        guard !isClosed else { throw .closed }
        let connection = try SQLiteConnection(location, role: .reader)
        connection.watch = watch
        return connection
    }

    func giveBack(_ connection: SQLiteConnection) {
        state.withLock { state in
            if !state.isClosed { state.free.append(connection) }
        }
    }

    /// The number of free connections.
    var freeCount: Int { state.withLock { $0.free.count } }

    /// Closes the free connections; those in use are closed when they are returned.
    func close() {
        let free = state.withLock { state in
            state.isClosed = true
            defer { state.free = [] }
            return state.free
        }
        _ = consume free
    }
}

internal import HTTPModel

/// The tasks with which a loop serves its connections: the connections that have something to do, and the tasks that
/// have nothing to do.
///
/// A connection has a task from the moment when something arrives to the moment when it waits for the next request. So
/// an idle one keeps none of the memory that its deepest calls took, and consecutive requests use memory that is still
/// in the processor's cache.
struct ConnectionTasks {
    /// The most tasks that rest. As many may work as there are connections.
    private static let most = 64

    private var due: [Connection] = []
    private var firstDue = 0
    private var resting: [IdleTask] = []
    /// How many rested at least, since the last tick.
    private var unusedCount = 0
    private var haveEnded = false

    var dueCount: Int { due.count - firstDue }
    /// Whether more rest than one, which a tick may end.
    var areMany: Bool { resting.count > 1 }

    mutating func add(_ connection: Connection) {
        due.append(connection)
    }

    mutating func takeDue() -> Connection? {
        guard firstDue < due.count else { return nil }
        let connection = due[firstDue]
        firstDue += 1
        if firstDue == due.count {
            due.removeAll(keepingCapacity: true)
            firstDue = 0
        }
        return connection
    }

    /// Whether a task may rest that has nothing to do.
    var haveRoom: Bool { !haveEnded && resting.count < Self.most }

    mutating func add(_ task: IdleTask) {
        resting.append(task)
    }

    /// Resumes the task that became idle last.
    /// - Returns: false if none is idle.
    mutating func resumeOne() -> Bool {
        guard let task = resting.popLast() else { return false }
        unusedCount = min(unusedCount, resting.count)
        task.end(goesOn: true)
        return true
    }

    /// Ends those that weren't needed since the last time, except one.
    mutating func tick() {
        end(min(unusedCount, resting.count - 1))
        unusedCount = resting.count
    }

    /// Ends all tasks, including those that become idle from now on.
    mutating func end() {
        haveEnded = true
        end(resting.count)
    }

    private mutating func end(_ count: Int) {
        guard count > 0 else { return }
        for task in resting.prefix(count) { task.end(goesOn: false) }
        resting.removeFirst(count)
    }
}

/// A task that has nothing to do.
@safe struct IdleTask {
    private let continuation: UnsafeContinuation<Bool, Never>

    /// - Parameter continuation: of the task, which goes on or ends by what it is resumed with.
    init(_ continuation: UnsafeContinuation<Bool, Never>) {
        unsafe self.continuation = continuation
    }

    /// Ends its rest. To be called once.
    func end(goesOn: Bool) {
        unsafe continuation.resume(returning: goesOn)
    }
}

extension EventLoop {
    /// Has a task serve the connection in this turn.
    func serve(_ connection: Connection) {
        tasks.add(connection)
    }

    /// Starts a connection, in a task that goes on to serve others and keeps nothing of this one.
    /// - Parameter refusal: set if the only answer is that fault's.
    nonisolated(nonsending) func begin(refusing refusal: HTTPFault?, _ make: () -> Connection) async {
        await make().begin(refusing: refusal)
    }

    /// Begins some tasks where connections are due: one serves them one by one until it has to wait.
    /// - Parameter most: the most that are begun.
    func beginTasks(most: Int) {
        for _ in 0..<min(most, tasks.dueCount) where !tasks.resumeOne() {
            Task.detached(executorPreference: self) { await self.work() }
        }
    }

    /// What a task does: it serves the connections that are due, and rests in between.
    nonisolated(nonsending) func work() async {
        // The client of a stream that went cancels what makes the stream, and no task is cancelled for one connection only.
        while !Task.isCancelled {
            if let connection = tasks.takeDue() {
                await connection.goOn()
            } else {
                guard tasks.haveRoom, await unsafe withUnsafeContinuation({ unsafe tasks.add(IdleTask($0)) }) else {
                    return
                }
            }
        }
    }
}

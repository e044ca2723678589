internal import HTTPModel

/// The tasks with which a loop serves its connections: the connections that have work, and the tasks that have none.
///
/// A connection has a task from the moment something arrives until it waits for the next request. So an idle one keeps
/// none of the memory that its deepest calls needed, and consecutive requests use memory that is still in the
/// processor's cache.
struct ConnectionTasks {
    /// The maximum number of idle tasks. The number of working ones is limited only by the connections.
    private static let most = 64

    private var due: [Connection] = []
    private var firstDue = 0
    private var resting: [IdleTask] = []
    /// The lowest number of idle tasks since the last tick.
    private var unusedCount = 0
    private var haveEnded = false

    var dueCount: Int { due.count - firstDue }
    /// Whether more than one is idle, so that a tick may end some.
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

    /// Whether a task without work may stay idle.
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

    /// Ends the tasks that weren't needed since the last tick, except one.
    mutating func tick() {
        end(min(unusedCount, resting.count - 1))
        unusedCount = resting.count
    }

    /// Ends all tasks, including those that become idle later.
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

/// A task without work.
@safe struct IdleTask {
    private let continuation: UnsafeContinuation<Bool, Never>

    /// - Parameter continuation: the task's; the value it is resumed with says whether the task continues.
    init(_ continuation: UnsafeContinuation<Bool, Never>) {
        unsafe self.continuation = continuation
    }

    /// Resumes the task. To be called once.
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
    /// - Parameter refusal: if set, the only answer is this fault's.
    nonisolated(nonsending) func begin(refusing refusal: HTTPFault?, _ make: () -> Connection) async {
        await make().begin(refusing: refusal)
    }

    /// Starts tasks for the connections that have work: each serves one after another until it has to wait.
    /// - Parameter most: the maximum number of tasks to start.
    func beginTasks(most: Int) {
        for _ in 0..<min(most, tasks.dueCount) where !tasks.resumeOne() {
            Task.detached(executorPreference: self) { await self.work() }
        }
    }

    /// The body of a task: it serves the connections that have work, and is idle in between.
    nonisolated(nonsending) func work() async {
        // A departing client cancels the task that produces its stream; that task must not serve other connections.
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

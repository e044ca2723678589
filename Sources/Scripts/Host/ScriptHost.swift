import Dispatch
public import Foundation
import JSONText
import Platform
import Synchronization
import TableOperations
import WorkThreads

/// The workers that run the scripts of one folder, as it was when it was read: a worker that ends has another take its
/// place, and a folder that has changed gets a host of its own.
public final class ScriptHost: Sendable {
    /// Why scripts can't be run, for the operator.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// A sentence.
        public let description: String
    }

    private struct State {
        var workers: [Int: ScriptWorker] = [:]
        var nextWorker = 1
        var isClosed = false
        var inventory: ScriptInventory?
        /// What the first worker said of the scripts.
        var read: JSONValue?
        /// Why the worker ended that ended last.
        var lastEnd: String?
        /// How many have ended one after the other before they had read the scripts.
        var failures = 0
        var log: (@Sendable (ScriptLogLine) -> Void)?
    }

    /// The folder.
    public let project: ScriptProject
    /// What its scripts may take.
    public let limits: ScriptLimits
    private let command: WorkerCommand
    private let state = Mutex(State())
    private let arrival = DispatchSemaphore(value: 0)
    /// Where what scripts ask for is done: whoever blocks Swift's own few threads holds up no script.
    private let threads = HandlerThreads()

    private init(_ project: ScriptProject, _ limits: ScriptLimits, _ command: WorkerCommand) {
        self.project = project
        self.limits = limits
        self.command = command
    }

    /// Starts a worker and waits until it has read the scripts. It blocks its thread.
    /// - Parameter environment: the server's own.
    public static func start(
        _ project: ScriptProject, limits: ScriptLimits,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Fault) -> ScriptHost {
        guard
            let path = WorkerCommand.path(
                of: limits.node, searching: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        else {
            throw Fault(
                description: "\(project.root) has scripts, which run in Node.js 18 or later, and there is no program "
                    + "\(limits.node); install it (Debian: apt-get install nodejs) or name it by scripts.node")
        }
        var owner: (user: uid_t, group: gid_t)?
        if let user = limits.user {
            owner = WorkerCommand.owner(named: user)
            if owner == nil { throw Fault(description: "scripts.user: there is no user \(user)") }
        }
        let command = WorkerCommand(
            path: path, arguments: ["--max-old-space-size=\(limits.memoryMegabytes)", "--stack-trace-limit=30", "-"],
            environment: WorkerCommand.environment(of: environment), directory: project.root, owner: owner)
        // From here on there are processes of the same user that run what isn't the server's own.
        zumod_close_process()
        let host = ScriptHost(project, limits, command)
        host.addWorker()
        guard host.arrival.wait(timeout: .now() + .seconds(60)) == .success, host.inventoryIfRead != nil else {
            let reason = host.state.withLock { $0.lastEnd } ?? "it did not read them in time"
            host.close()
            throw Fault(description: "the scripts of \(project.root) can't be run by \(path): \(reason)")
        }
        return host
    }

    /// What the scripts serve.
    public var inventory: ScriptInventory { inventoryIfRead ?? ScriptInventory(.null) }

    private var inventoryIfRead: ScriptInventory? { state.withLock { $0.inventory } }

    /// Begins to serve, the first time: as many workers as there may be, and a look after them.
    /// - Parameter log: takes what scripts write.
    public func serve(_ log: @escaping @Sendable (ScriptLogLine) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.log = state.log ?? log }
            return state.log == nil
        }
        guard isFirst else { return }
        for _ in 1..<max(1, limits.workers) { addWorker() }
        // Until the last worker is gone: one that is caught in a loop has to be ended, whoever still needs this host.
        NamedThread.start("zumod-script-watch") {
            while let workers = self.watched {
                for worker in workers { worker.look() }
                usleep(50_000)
            }
        }
    }

    /// The workers to look after; nil where there will be none any more.
    private var watched: [ScriptWorker]? {
        state.withLock { state in state.isClosed && state.workers.isEmpty ? nil : Array(state.workers.values) }
    }

    /// Takes no further call; those under way end on the scripts that they began with.
    public func close() {
        let workers = state.withLock { state in
            state.isClosed = true
            return Array(state.workers.values)
        }
        for worker in workers { worker.retire() }
    }

    /// The worker that has least to do, but for those that are stuck.
    private var freeWorker: ScriptWorker? {
        let workers = state.withLock { Array($0.workers.values) }
        let loads = workers.compactMap { worker in worker.load.map { (worker, worker.isSilent, $0) } }
        return loads.min { first, second in first.1 == second.1 ? first.2 < second.2 : !first.1 }?.0
    }

    // MARK: Calls

    /// What became of a call.
    enum CallEnd: Sendable {
        case answered(JSONValue)
        /// It took longer than it may.
        case tooLong
        /// The worker ended under it; why.
        case lost(String)
        /// No worker takes it.
        case busy(String)
    }

    /// Has a script called.
    /// - Parameters:
    ///   - name: what the log calls it.
    ///   - answer: does what the script asks of the server.
    func call(
        _ message: [JSONMember], named name: ScriptCallName, within time: Duration? = nil,
        _ answer: @escaping @Sendable (JSONValue) async -> JSONValue
    ) async -> CallEnd {
        let time = time ?? limits.time
        guard let worker = await worker() else {
            return .busy(state.withLock { $0.lastEnd } ?? "all workers are busy")
        }
        let (ends, ended) = AsyncStream.makeStream(of: CallEnd.self, bufferingPolicy: .bufferingOldest(1))
        let asks = AskQueue()
        let number = worker.begin(message, named: name) { event in
            switch event {
            case .ask(let ask): asks.add(ask)
            case .done(let end): ended.yield(.answered(end))
            case .lost(let reason): ended.yield(.lost(reason))
            }
        }
        guard let number else { return .busy("scripts have \(limits.callsPerWorker) calls under way in each worker") }
        // One thing after the other: a script that asks for thousands at once takes no more of the store than another. It
        // goes on after the answer, as a script may send a notice a second later.
        Task(executorPreference: threads) { [asks = asks.all, givenUp = asks.givenUp] in
            for await ask in asks where !givenUp.isSet {
                Self.reply(to: ask, of: number, with: await answer(ask), to: worker)
            }
        }
        let timer = Task(executorPreference: threads) {
            try? await Task.sleep(for: time)
            if !Task.isCancelled { ended.yield(.tooLong) }
        }
        defer { timer.cancel() }
        for await end in ends {
            if case .tooLong = end {
                asks.givenUp.set()
                worker.cancel(number, isLate: true)
            }
            return end
        }
        return .tooLong
    }

    private static func reply(to ask: JSONValue, of number: Int, with answer: JSONValue, to worker: ScriptWorker) {
        guard case .object(let members) = answer else { return }
        let head = [
            JSONMember("t", "reply"), JSONMember("id", .integer(Int64(number))), JSONMember("k", ask["k"] ?? .null),
        ]
        guard !worker.send(.object(head + members)) else { return }
        worker.send(
            .object(
                head + [
                    JSONMember("ok", false),
                    JSONMember(
                        "error",
                        ["code": "store", "message": "the answer is too large for the script", "status": 500]),
                ]))
    }

    /// How long a call waits for a worker: where all have ended, the next one has to read the scripts first.
    private static let patience = Duration.seconds(5)

    /// A worker that takes calls, as soon as there is one.
    private func worker() async -> ScriptWorker? {
        let deadline = ContinuousClock.now + Self.patience
        while true {
            if let worker = freeWorker { return worker }
            if state.withLock({ $0.isClosed }) || ContinuousClock.now > deadline { return nil }
            try? await Task.sleep(for: .milliseconds(5))
            if Task.isCancelled { return nil }
        }
    }

    // MARK: Workers

    private func addWorker() {
        let number = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            defer { state.nextWorker += 1 }
            return state.nextWorker
        }
        guard let number else { return }
        let load: JSONValue = [
            "t": "load", "form": .string(project.form.rawValue), "root": .string(project.root),
            "timeSeconds": .number(Double(limits.time.components.seconds)), "settings": .object([]),
        ]
        let worker = ScriptWorker(command, loading: load, limits: limits) { [weak self] event in
            self?.take(event, of: number)
        }
        let isUnwanted = state.withLock { state in
            state.workers[number] = worker
            return state.isClosed
        }
        if isUnwanted { worker.end(because: "the server stops") }
    }

    private func take(_ event: ScriptWorker.Event, of number: Int) {
        switch event {
        case .loaded(let message):
            let (isFirst, stranger) = state.withLock { state -> (Bool, ScriptWorker?) in
                if let read = state.read {
                    // Files have changed since: without its script a table would be open to more than it should.
                    if read != message { return (false, state.workers[number]) }
                    state.failures = 0
                    return (false, nil)
                }
                state.read = message
                state.inventory = ScriptInventory(message)
                return (true, nil)
            }
            stranger?.end(because: "the scripts have changed and serve something else, which is yet to be taken over")
            if isFirst { arrival.signal() }
        case .line(let line):
            state.withLock { $0.log }?(line)
        case .ended(let reason):
            ended(number, reason)
        }
    }

    private func ended(_ number: Int, _ reason: String) {
        let (log, isClosed, failures, isFirst) = state.withLock { state in
            state.workers.removeValue(forKey: number)
            state.lastEnd = reason
            state.failures += 1
            return (state.log, state.isClosed, state.failures, state.inventory == nil)
        }
        if isFirst { arrival.signal() }
        guard !isClosed, !isFirst else { return }
        log?(
            ScriptLogLine(
                level: .error, text: "a worker ended, and another takes its place: \(reason)", call: nil))
        // One that can't even read its scripts is not begun again and again without a pause.
        let pause = failures < 3 ? 0 : min(5_000, 50 << min(failures, 7))
        guard pause > 0 else { return addWorker() }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(pause)) { [weak self] in
            self?.addWorker()
        }
    }
}

/// What a call asks of the server, in its order; it ends with whoever adds to it.
private final class AskQueue: Sendable {
    let all: AsyncStream<JSONValue>
    /// Whether nobody wants the call any more.
    let givenUp = Flag()
    private let added: AsyncStream<JSONValue>.Continuation

    init() {
        (all, added) = AsyncStream.makeStream(of: JSONValue.self)
    }

    deinit { added.finish() }

    func add(_ ask: JSONValue) { added.yield(ask) }
}

/// Something that happens once.
private final class Flag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    func set() { flag.store(true, ordering: .releasing) }
}

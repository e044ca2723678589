import ByteText
import Dispatch
public import Foundation
import JSONText
import Platform
import Synchronization
import TableOperations
import WorkThreads

/// The workers that run the scripts of a folder in the state in which it was read: a worker that ends is replaced, and
/// a changed folder gets another host.
///
/// Calls that have done nothing yet when their worker ends or is blocked are started in another one. Calls of callers
/// who have crashed a worker go to separate workers.
public final class ScriptHost: Sendable {
    /// Why scripts can't be run, for operators.
    public struct Fault: Error, Sendable, CustomStringConvertible {
        /// The reason, as a sentence.
        public let description: String
    }

    private struct State {
        var agreement = ScriptAgreement()
        /// How many workers have read the scripts, or have ended.
        var outcomes = 0
        var log: (@Sendable (ScriptLogLine) -> Void)?
        var ask: ChangeHeard?
    }

    /// Hears that a worker has read something else than the first one, and whether another has read the same as that.
    /// - Returns: whether the folder is read anew; false if its files haven't changed.
    public typealias ChangeHeard = @Sendable (_ isConfirmed: Bool) -> Bool

    /// The folder.
    public let project: ScriptProject
    /// The limits of its scripts.
    public let limits: ScriptLimits
    private let state = Mutex(State())
    private let common: ScriptWorkerPool
    /// Runs the calls of crashing callers.
    private let apart: ScriptWorkerPool
    private let crashingCallers = CrashingCallers()
    private let arrival = DispatchSemaphore(value: 0)
    /// Runs the work that scripts ask for, so that blocking Swift's few shared threads doesn't hold up scripts.
    private let threads = HandlerThreads()

    private init(_ project: ScriptProject, _ limits: ScriptLimits, _ command: WorkerCommand) {
        self.project = project
        self.limits = limits
        let make: ScriptWorkerPool.Make = { stays, heard in
            ScriptWorker(command, loading: project, limits: limits, stays: stays, heard)
        }
        common = ScriptWorkerPool(size: 1, make)
        apart = ScriptWorkerPool(size: 0, restsAfter: CrashingCallers.time, make)
    }

    /// Starts a worker and waits until it has read the scripts, blocking the thread.
    /// - Parameter environment: the server's environment.
    public static func start(
        _ project: ScriptProject, limits: ScriptLimits,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(Fault) -> ScriptHost {
        guard
            let path = WorkerCommand.path(
                of: limits.node, searching: environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin")
        else {
            throw Fault(
                description:
                    "\(project.root) has scripts, which run in Node.js 18.18 or later, and there is no program "
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
        // From here on, processes of the same user run code that isn't the server's.
        zumod_close_process()
        let host = ScriptHost(project, limits, command)
        for lane in [host.common, host.apart] {
            lane.begin { [weak host, weak lane] event, worker in host?.take(event, of: worker, in: lane) }
        }
        guard let reason = host.readingFault() else {
            if limits.readsTwice { host.readAgain() }
            return host
        }
        defer { host.end() }
        // Where it has come to a file, Node is one that can run scripts.
        let isRunning = host.common.unread != nil || host.common.schedule.lastFile != nil
        let program = isRunning ? "" : " by \(path), which has to be Node.js 18.18 or later"
        throw Fault(description: "the scripts of \(project.root) can't be run\(program): \(reason)")
    }

    /// Waits until the first worker has read the scripts.
    /// - Returns: why it has not; nil if it has.
    private func readingFault() -> String? {
        while arrival.wait(timeout: .now() + .milliseconds(100)) != .success {
            if let reason = common.endlessReading { return reason }
        }
        return inventoryIfRead == nil ? common.schedule.lastEnd ?? "it did not read them" : nil
    }

    /// Has another worker read the scripts, to learn whether it reads the same.
    private func readAgain() {
        common.resize(to: 2)
        while state.withLock({ $0.outcomes }) < 2, common.endlessReading == nil {
            _ = arrival.wait(timeout: .now() + .milliseconds(100))
        }
    }

    /// What another reading of the same files had otherwise, as a warning; nil if none had.
    public var fickleness: ScriptFault? {
        guard let difference = state.withLock({ $0.agreement.difference }) else { return nil }
        return ScriptFault(file: difference.file, "\(difference.part) \(ScriptAgreement.fickle)")
    }

    /// Ends all workers at once: the scripts may loop while they are read.
    private func end() {
        for lane in [common, apart] { lane.end(because: "what it has read is not served") }
    }

    /// What the scripts define.
    public var inventory: ScriptInventory { inventoryIfRead ?? ScriptInventory(.null) }

    private var inventoryIfRead: ScriptInventory? { state.withLock { $0.agreement.inventory } }

    /// Has changes of the folder be heard of that a worker comes upon.
    public func whenChanged(_ heard: @escaping ChangeHeard) {
        state.withLock { state in
            state.ask = heard
            state.agreement.forgetAsking()
        }
    }

    /// Records why the configuration that was read last isn't in use, for those who ask why scripts aren't run.
    /// - Parameter refusal: nil if it is.
    public func note(refusal: String?) { state.withLock { $0.agreement.note(refusal: refusal) } }

    /// Starts serving, on the first call: starts all workers, and watches them.
    /// - Parameter log: receives what scripts log.
    public func serve(_ log: @escaping @Sendable (ScriptLogLine) -> Void) {
        let isFirst = state.withLock { state in
            defer { state.log = state.log ?? log }
            return state.log == nil
        }
        guard isFirst else { return }
        common.resize(to: max(1, limits.workers))
        // Until the last worker is gone: one stuck in a loop has to be ended, even if this host is still needed.
        NamedThread.start("zumod-script-watch") { [common, apart] in
            while !common.schedule.isOver || !apart.schedule.isOver {
                common.look()
                apart.look()
                usleep(50_000)
            }
        }
    }

    /// The number of workers that take calls now.
    public var servingWorkers: Int { common.servingCount }

    /// Whether no script can be run at the moment, as worker after worker ends before it takes calls.
    public var isFailing: Bool { common.schedule.isFailing }

    /// Accepts no more calls; those in progress end with the scripts that they started with.
    public func close() {
        // Nobody watches workers that were never to serve, and they have no calls.
        if state.withLock({ $0.log == nil }) { return end() }
        common.close()
        apart.close()
    }

    // MARK: Calls

    /// The result of a call.
    enum CallEnd: Sendable {
        case answered(ScriptAnswer)
        /// It exceeded its time limit.
        case tooLong
        /// The worker ended during the call, for a reason.
        case lost(String)
        /// No worker accepts the call.
        case busy(String)
    }

    /// The maximum number of times a call is started.
    private static let mostBeginnings = 8
    /// The maximum number of times an unresponsive worker gives a call away: on a busy machine, all are for a while.
    private static let mostMoves = 3

    /// Runs a script.
    /// - Parameters:
    ///   - name: the call's name in the log.
    ///   - caller: the caller's key; nil for the server. Only evaluated if a worker has crashed lately.
    ///   - chain: handles what the server does within the call, if that is a whole request.
    ///   - answer: answers the script's asks.
    func call(
        _ task: ScriptTask, named name: ScriptCallName, by caller: @autoclosure () -> String? = nil,
        within time: Duration? = nil, through chain: MiddlewareChain? = nil, _ answer: @escaping Answer
    ) async -> CallEnd {
        // Including the script: other scripts called from the same address are unaffected.
        func key() -> ExactText? { caller().map { ExactText("\(name.script) \($0)") } }
        let (arrival, time) = (ContinuousClock.now, time ?? limits.time)
        var isApart = crashingCallers.isEmpty ? false : key().map { crashingCallers.has($0, at: arrival) } ?? false
        var isSuspect = false
        for number in 0..<Self.mostBeginnings where ContinuousClock.now - arrival < time * 2 {
            if isApart { apart.resize(to: 1) }
            let lane = isApart ? apart : common
            let attempt = await begin(
                task, named: name, in: lane, within: time, mayMove: number < Self.mostMoves, chain, answer)
            switch attempt {
            case .ended(let end): return end
            case .lost(let reason, let isCulprit):
                if isCulprit { noteCrash(by: key()) }
                return .lost(reason)
            case .moved(false): continue
            case .moved(true):
                // Among the others it would crash another worker.
                if isSuspect {
                    noteCrash(by: key())
                    return .lost(lane.schedule.lastEnd ?? "its worker ended")
                }
                (isSuspect, isApart) = (true, true)
            }
        }
        return .busy("workers end one after the other" + (common.schedule.trouble.map { ": \($0)" } ?? ""))
    }

    private func noteCrash(by caller: ExactText?) {
        guard let caller else { return }
        crashingCallers.add(caller, at: .now)
        apart.resize(to: 1)
    }

    /// Answers an ask of a script.
    typealias Answer = @Sendable (ScriptAsk) async -> ScriptReply

    /// The result of a call in one worker.
    private enum Attempt {
        case ended(CallEnd)
        case lost(String, isCulprit: Bool)
        case moved(isSuspect: Bool)
    }

    private func begin(
        _ task: ScriptTask, named name: ScriptCallName, in lane: ScriptWorkerPool, within time: Duration, mayMove: Bool,
        _ chain: MiddlewareChain?, _ answer: @escaping Answer
    ) async -> Attempt {
        guard let worker = await worker(in: lane) else {
            return .ended(.busy(lane.schedule.trouble ?? "no worker takes calls"))
        }
        let news = CallNews<Attempt>()
        let asks = ScriptAskQueue(of: worker, chain, on: threads, answer)
        let number = worker.begin(task, named: name, within: time, mayMove: mayMove) { call, event in
            switch event {
            case .ask(let ask): if asks.add(.ask(ask), of: call) { news.ask() }
            case .operated(let operation, let end): if asks.add(.operated(operation, end), of: call) { news.ask() }
            case .done(let end): news.end(.ended(.answered(end)))
            case .late: news.end(.ended(.tooLong))
            case .lost(let reason, let isCulprit): news.end(.lost(reason, isCulprit: isCulprit))
            case .moved(let isSuspect): news.end(.moved(isSuspect: isSuspect))
            }
        }
        guard let number else {
            guard worker.condition.isGone else {
                return .ended(.busy("scripts have \(limits.callsPerWorker) calls under way in each worker"))
            }
            return .moved(isSuspect: false)
        }
        chain?.begin { worker.send(.operate(call: number, ask: $0, operation: $1, $2)) }
        defer {
            asks.leave()
            chain?.end()
        }
        while let each = await news.next() {
            switch each {
            // In this task, since the work needs its task-local values: the request and its trace.
            case .asked: asks.begin()
            case .end(.ended(.tooLong)):
                asks.giveUp()
                if worker.release(number) { return .moved(isSuspect: false) }
                worker.cancel(number, isLate: true)
                return .ended(.tooLong)
            case .end(let end):
                if case .moved = end { asks.giveUp() }
                return end
            }
        }
        return .ended(.tooLong)
    }

    /// How long a call waits for a worker: if all have ended, the next one has to read the scripts first, on a machine
    /// that may be busy.
    private static let patience = Duration.seconds(30)
    /// The same while worker after worker ends before it takes calls.
    private static let shortPatience = Duration.seconds(2)

    /// Returns a worker that accepts calls, as soon as there is one.
    private func worker(in lane: ScriptWorkerPool) async -> ScriptWorker? {
        let arrival = ContinuousClock.now
        while true {
            if let worker = lane.freeWorker() { return worker }
            let patience = lane.schedule.isFailing ? Self.shortPatience : Self.patience
            if lane.schedule.isClosed || ContinuousClock.now - arrival > patience { return nil }
            try? await Task.sleep(for: .milliseconds(5))
            if Task.isCancelled { return nil }
        }
    }

    // MARK: Workers

    private func take(_ event: ScriptWorker.Event, of worker: ScriptWorker?, in lane: ScriptWorkerPool?) {
        switch event {
        case .loaded(let inventory, let words):
            judge(worker, by: inventory, words)
            arrive()
        case .line(let line): state.withLock { $0.log }?(line)
        case .leaving: lane?.replace()
        case .ended(_, let isExpected, _):
            arrive()
            guard inventoryIfRead != nil, !isExpected, let lane, !lane.schedule.isClosed else { return }
            lane.replace()
        }
    }

    /// Tells whoever waits for a worker.
    private func arrive() {
        state.withLock { $0.outcomes += 1 }
        arrival.signal()
    }

    /// Ends a worker that has read something else than is served: where files have changed, a table could lack its
    /// script and be open to more callers than it should.
    private func judge(_ worker: ScriptWorker?, by inventory: ScriptInventory, _ words: JSONValue) {
        let now = ContinuousClock.now
        var verdict = state.withLock { $0.agreement.take(inventory, words, at: now) }
        let (log, ask, isConfirmed) = state.withLock { ($0.log, $0.ask, $0.agreement.isConfirmed) }
        if case .ends(_, _?) = verdict, let ask, !ask(isConfirmed) {
            verdict = state.withLock { state in
                state.agreement.beFickle()
                return state.agreement.take(inventory, words, at: now)
            }
        }
        switch verdict {
        case .serves(let warning):
            if let warning { log?(ScriptLogLine(level: .warning, text: warning, call: nil)) }
        case .ends(let reason, let notice):
            if let notice { log?(ScriptLogLine(level: .notice, text: notice, call: nil)) }
            worker?.refuse(because: reason)
        }
    }
}

import Dispatch
import Platform
import Synchronization
import WorkThreads

/// One process that runs scripts, with the calls that are under way in it.
///
/// Three threads serve it: one begins it and reads what it sends, one writes what it doesn't take at once, one takes
/// what it prints.
final class ScriptWorker: Sendable {
    private typealias Schedule = WorkerSchedule<Heard>

    private struct State {
        var schedule: Schedule
        var process: WorkerProcess?

        /// The call whose code runs, asked for where that matters.
        func runningIfSilent(at now: ContinuousClock.Instant) -> Int? {
            schedule.isSilent(at: now) ? process?.marks.running : nil
        }
    }

    private let state: Mutex<State>
    /// Is held by whoever sends a message: those that begin calls in this turn of an event loop, which are sent
    /// together.
    private let sending = Mutex<[UInt8]>([])
    /// What the system has not taken at once.
    private let outgoing = BlockingQueue<[UInt8]>()
    /// Is signalled by each of the two threads that write to the process and take what it prints, at their ends.
    private let helpersEnded = DispatchSemaphore(value: 0)
    private let heard: @Sendable (Event) -> Void

    /// Begins a process.
    /// - Parameter stays: how long it serves on where reading leaves an error to nobody.
    init(
        _ command: WorkerCommand, loading project: ScriptProject, limits: ScriptLimits, stays: Duration,
        _ heard: @escaping @Sendable (Event) -> Void
    ) {
        state = Mutex(State(schedule: Schedule(limits: limits, stays: stays, at: .now)))
        self.heard = heard
        send(.load(project, tokenKey: limits.tokenKey, reports: limits.reports))
        NamedThread.start("zumod-script") { self.run(command) }
    }

    // MARK: What its host asks

    /// How it is.
    var condition: Condition {
        state.withLock { state in
            let now = ContinuousClock.now
            return state.schedule.condition(running: state.runningIfSilent(at: now), at: now)
        }
    }

    /// Why it is to be ended because it reads the scripts for longer than it may; nil where it doesn't.
    var endlessReading: String? {
        let work = state.withLock { $0.schedule.isLoaded ? nil : $0.process }?.scriptTime
        return state.withLock { $0.schedule.endlessReading(work: work, at: .now) }
    }

    /// The file that it is reading; nil where it has read all.
    var unread: String? { state.withLock { $0.schedule.unread } }

    /// Begins a call.
    /// - Parameters:
    ///   - time: how long it may take.
    ///   - mayMove: whether it is given away where the worker doesn't answer.
    /// - Returns: its number; nil where the worker takes no more.
    func begin(
        _ task: ScriptTask, named name: ScriptCallName, within time: Duration, mayMove: Bool, _ heard: @escaping Heard
    ) -> Int? {
        let call = Schedule.Call(
            caller: heard, name: name, deadline: .now + time, isReading: task.isReading, mayMove: mayMove)
        var frame = ServerMessage.call(task).frame
        // Calls are sent in the order of their numbers, or the worker would seem not to have begun one that it has.
        let number = sending.withLock { gathered -> Int? in
            guard let number = state.withLock({ $0.schedule.begin(call, bytes: frame.count, behind: gathered.count) })
            else { return nil }
            MessageFrames.add("id", number, to: &frame)
            gathered += frame
            return number
        }
        if number != nil { BegunCalls.send(of: self) }
        return number
    }

    /// Sends what was gathered.
    func sendGathered() {
        sending.withLock { gathered in
            if !gathered.isEmpty { put(gathered) }
            gathered = []
        }
    }

    /// Sends a message.
    /// - Returns: false where too much waits already, or the worker is gone.
    @discardableResult
    func send(_ message: ServerMessage) -> Bool {
        let bytes = message.frame
        return sending.withLock { gathered in
            guard state.withLock({ $0.schedule.takes(bytes.count, behind: gathered.count) }) else { return false }
            defer { gathered = [] }
            return put(gathered.isEmpty ? bytes : gathered + bytes)
        }
    }

    /// Sends messages at once where none waits before them and the system takes them: a thread that has to be woken for
    /// them costs more than they do.
    @discardableResult
    private func put(_ bytes: [UInt8]) -> Bool {
        let channel = state.withLock { $0.schedule.queuedBytes == 0 ? $0.process?.channel : nil }
        let sent = channel.map { MessageFrames.writeAtOnce(bytes, to: $0) } ?? 0
        guard sent < bytes.count else { return true }
        state.withLock { $0.schedule.queue(bytes.count - sent) }
        return outgoing.push(sent == 0 ? bytes : Array(bytes[sent...]))
    }

    /// Gives a call up: whoever began it hears of it no more.
    /// - Parameter isLate: whether it took longer than it may. Where it holds up the whole worker, that is ended.
    func cancel(_ number: Int, isLate: Bool = false) {
        change { $0.schedule.cancel(number, isLate: isLate, begun: $0.process?.marks.begun ?? 0) }
    }

    /// Takes no further call, and ends with the last one that is under way.
    func retire() { change { $0.schedule.retire() } }

    /// Ends it at once.
    func end(because verdict: String) {
        state.withLock { state in
            state.schedule.end(because: verdict, running: state.process?.marks.running)
            state.process?.kill()
        }
    }

    /// Ends it at once for what it has read.
    func refuse(because reason: String) {
        state.withLock { state in
            state.schedule.refuse(because: reason)
            state.process?.kill()
        }
    }

    /// Ends it at once for the script that holds it up while others wait.
    func endStuck() { end(because: state.withLock { $0.schedule.reasonToEnd(running: $0.process?.marks.running) }) }

    /// Looks after it, several times a second: its memory, the time of its calls, and whether it lives.
    func look() {
        let now = ContinuousClock.now
        let (isDue, process) = state.withLock { ($0.schedule.asksSystem(at: now), $0.process) }
        let system = isDue ? process.map { (time: $0.scriptTime, megabytes: $0.residentBytes >> 20) } : nil
        change { state in
            let running = state.runningIfSilent(at: now)
            return state.schedule.look(state.process.map { _ in (running, system) }, at: now)
        }
    }

    /// Has others do what it has not come to, once it doesn't answer; after a long silence also what has done nothing
    /// yet but isn't what runs.
    func giveAway() {
        change { state in
            let now = ContinuousClock.now
            guard let marks = state.process?.marks, let last = state.schedule.skipped(begun: marks.begun, at: now)
            else { return [] }
            let begun = marks.skip(upTo: last)
            let moved = state.schedule.movable(begun: begun, running: marks.running, at: now).filter(marks.move)
            return state.schedule.giveAway(upTo: last, begun: begun, moved: moved, at: now)
        }
    }

    /// Gives a call up whose time is over though others' code took it from it, where it has done nothing yet: it can be
    /// begun in another worker.
    /// - Returns: whether that is so.
    func release(_ number: Int) -> Bool {
        var isFree = false
        change { state in
            guard let marks = state.process?.marks,
                let last = state.schedule.skipped(toRelease: number, running: marks.running, at: .now)
            else { return [] }
            let begun = marks.skip(upTo: last)
            isFree = number > begun || !state.schedule.hasActed(number) && marks.move(number)
            return isFree ? state.schedule.release(number, begun: begun) : []
        }
        return isFree
    }

    /// Changes the schedule, and does what it answers.
    private func change(_ decide: (inout State) -> [Schedule.Action]) {
        for action in state.withLock({ decide(&$0) }) {
            switch action {
            case .tell(let heard, let number, let event): heard(number, event)
            case .report(let event): heard(event)
            case .send(let message): send(message)
            case .open: state.withLock { $0.schedule.open() }
            case .retire: retire()
            case .end(let reason): end(because: reason)
            // With the last of the actions, without a lock.
            case .forget: break
            }
        }
    }

    // MARK: Its threads

    private func run(_ command: WorkerCommand) {
        let process: WorkerProcess
        do throws(WorkerProcess.Fault) {
            process = try WorkerProcess(command)
        } catch {
            outgoing.close()
            return change { $0.schedule.finish("\(error)") }
        }
        let isUnwanted = state.withLock { state in
            state.process = process
            return state.schedule.verdict != nil
        }
        if isUnwanted { process.kill() }
        NamedThread.start("zumod-script-in") { self.write(to: process) }
        NamedThread.start("zumod-script-log") { self.takeLines(of: process) }
        var reader = MessageReader(process.channel)
        while let message = reader.next({ state.withLock { $0.schedule.hear(true) } }) {
            if let message = WorkerMessage(message) { change { $0.schedule.take(message, at: .now) } }
            state.withLock { $0.schedule.hear(false) }
        }
        // Whatever it has begun ends with it.
        process.kill()
        // Once it was waited for, its number may be another process's.
        state.withLock { $0.process = nil }
        let end = process.wait()
        outgoing.close()
        // Whoever has found it before sends no more.
        sending.withLock { _ in }
        shutdown(process.channel, Int32(SHUT_RDWR))
        shutdown(process.input, Int32(SHUT_RDWR))
        // A process that it detached may keep the other end for as long as it likes.
        shutdown(process.output, Int32(SHUT_RDWR))
        // Closed only when nobody uses them: their numbers belong to somebody else then.
        helpersEnded.wait()
        helpersEnded.wait()
        for descriptor in [process.channel, process.input, process.output] { close(descriptor) }
        let (running, begun) = (process.marks.running, process.marks.begun)
        change { $0.schedule.finish(end, running: running, begun: begun, hasActed: process.marks.hasActed) }
    }

    private func write(to process: WorkerProcess) {
        defer { helpersEnded.signal() }
        _ = MessageFrames.write(WorkerProgram.text, to: process.input)
        shutdown(process.input, Int32(SHUT_RDWR))
        while let messages = outgoing.take(upTo: 64) {
            for message in messages {
                let isSent = MessageFrames.write(message, to: process.channel)
                state.withLock { $0.schedule.queue(-message.count) }
                if !isSent { return }
            }
        }
    }

    /// What native modules and Node itself print, line by line, as much of it as a log can bear.
    private func takeLines(of process: WorkerProcess) {
        defer { helpersEnded.signal() }
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8192)
        var allowance = LineRateLimit(at: .now)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Platform.read(process.output, $0.baseAddress, 8192)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            rest.append(contentsOf: chunk[..<count])
            while let end = rest.firstIndex(of: 10) {
                let line = rest[..<end]
                rest.removeFirst(end + 1)
                print(line, &allowance)
            }
            if rest.count > 8192 {
                print(rest[...], &allowance)
                rest = []
            }
        }
        print(rest[...], &allowance)
    }

    private func print(_ line: ArraySlice<UInt8>, _ allowance: inout LineRateLimit) {
        guard !line.isEmpty, allowance.allowsOneMore(at: .now) else { return }
        heard(.line(ScriptLogLine(level: .info, text: String(decoding: line.prefix(8192), as: UTF8.self), call: nil)))
    }
}

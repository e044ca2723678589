import Dispatch
import Platform
import Synchronization
import WorkThreads

/// One process that runs scripts, with the calls that are under way in it.
///
/// Three threads serve it: one begins it and reads what it sends, one writes what it doesn't take at once, one takes what
/// it prints.
final class ScriptWorker: Sendable {
    let state = Mutex(State())
    /// Is held by whoever sends a message: those that begin calls in this turn of an event loop, which are sent together.
    private let sending = Mutex<[UInt8]>([])
    /// What the system has not taken at once.
    private let outgoing = BlockingQueue<[UInt8]>()
    /// Is signalled by each of the two threads that write to the process and take what it prints, at their ends.
    private let helpersEnded = DispatchSemaphore(value: 0)
    private let limits: ScriptLimits
    private let heard: @Sendable (Event) -> Void

    /// How long a worker that should answer at once may be silent.
    static let patience = Duration.milliseconds(100)
    /// From when on silence is no chance of the machine.
    static let longSilence = Duration.seconds(1)
    /// How long one with nothing to do is left alone.
    private static let idlePause = Duration.seconds(5)
    /// How long nobody asks the system about one with nothing to do: timers and sockets of scripts take memory as well.
    static let idleLook = Duration.milliseconds(200)

    /// Begins a process.
    init(
        _ command: WorkerCommand, loading project: ScriptProject, limits: ScriptLimits,
        _ heard: @escaping @Sendable (Event) -> Void
    ) {
        self.limits = limits
        self.heard = heard
        send(.load(project, tokenKey: limits.tokenKey, reports: limits.reports))
        NamedThread.start("zumod-script") { self.run(command) }
    }

    // MARK: What its host asks

    /// How many calls are under way; nil where it takes none.
    var load: Int? {
        state.withLock { state in
            guard state.isLoaded, !state.isEnded, !state.isRetiring, state.verdict == nil, state.late == nil
            else { return nil }
            return state.load
        }
    }

    /// Whether it has not answered for a while.
    var isSilent: Bool { state.withLock { $0.silence > Self.patience } }

    /// For how long it has had a processor to read the scripts; nil where it has read them, or the system doesn't tell.
    var readingTime: Duration? { state.withLock { $0.isLoaded ? nil : $0.process }?.scriptTime }

    /// The file that it is reading; nil where it has read all.
    var unread: String? { state.withLock { $0.isLoaded ? nil : $0.reading } }

    /// Whether it takes no call any more.
    var isGone: Bool { state.withLock { $0.isEnded || $0.isRetiring || $0.verdict != nil } }

    /// For how long the code of a script has kept it from answering; nil where it answers. One that the machine leaves no
    /// time runs nobody's code.
    var stuckFor: Duration? {
        let (silence, marks, works) = state.withLock { state in
            (state.isHeard ? .zero : state.silence, state.process?.marks, state.hasWorked(for: Self.patience))
        }
        guard silence > Self.patience, marks?.running != nil && works || silence > Self.longSilence else { return nil }
        return silence
    }

    /// Whether a script's code has had the machine for long, and nobody else's.
    var isLooping: Bool { state.withLock { $0.process?.marks.running != nil && $0.hasWorked(for: Self.longSilence) } }

    /// Begins a call.
    /// - Parameters:
    ///   - time: how long it may take.
    ///   - mayMove: whether it is given away where the worker doesn't answer.
    /// - Returns: its number; nil where the worker takes no more.
    func begin(
        _ task: ScriptTask, named name: ScriptCallName, within time: Duration, mayMove: Bool, _ heard: @escaping Heard
    ) -> Int? {
        let call = Pending(
            heard: heard, name: name, deadline: .now + time, isReading: task.isReading, mayMove: mayMove)
        var frame = ServerMessage.call(task).frame
        // Calls are sent in the order of their numbers, or the worker would seem not to have begun one that it has.
        let number = sending.withLock { gathered -> Int? in
            let number = state.withLock { state -> Int? in
                guard !state.isRetiring, state.verdict == nil, state.load < limits.callsPerWorker,
                    state.takes(frame, behind: gathered)
                else { return nil }
                let number = state.nextCall
                state.nextCall += 1
                state.calls[number] = call
                return number
            }
            guard let number else { return nil }
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
            guard state.withLock({ $0.takes(bytes, behind: gathered) }) else { return false }
            defer { gathered = [] }
            return put(gathered.isEmpty ? bytes : gathered + bytes)
        }
    }

    /// Sends messages at once where none waits before them and the system takes them: a thread that has to be woken for them
    /// costs more than they do.
    @discardableResult
    private func put(_ bytes: [UInt8]) -> Bool {
        let channel = state.withLock { $0.queuedBytes == 0 ? $0.process?.channel : nil }
        let sent = channel.map { MessageFrames.writeAtOnce(bytes, to: $0) } ?? 0
        guard sent < bytes.count else { return true }
        state.withLock { $0.queuedBytes += bytes.count - sent }
        return outgoing.push(sent == 0 ? bytes : Array(bytes[sent...]))
    }

    /// Gives a call up: whoever began it hears of it no more.
    /// - Parameter isLate: whether it took longer than it may. Where it holds up the whole worker, that is ended.
    func cancel(_ number: Int, isLate: Bool = false) {
        let isKnown = state.withLock { state in
            guard let call = state.calls.removeValue(forKey: number) else { return false }
            // One that the worker has not come to holds up nothing.
            if isLate, state.process.map({ $0.marks.begun >= number }) ?? false {
                state.late = (number, call.name.script)
            }
            return true
        }
        guard isKnown else { return }
        send(.cancel(call: number))
        retireIfIdle()
    }

    /// Takes no further call, and ends with the last one that is under way.
    func retire() {
        state.withLock { $0.isRetiring = true }
        retireIfIdle()
    }

    /// Ends it at once.
    func end(because verdict: String) {
        state.withLock { state in
            if state.verdict == nil {
                state.verdict = verdict
                state.culprit = state.process?.marks.running
            }
            state.process?.kill()
        }
    }

    /// Ends it at once for the script that holds it up while others wait.
    func endStuck() {
        let script = state.withLock { state in
            state.process?.marks.running.flatMap { state.call($0) }?.name.script ?? "a script"
        }
        end(because: "\(script) took all of its time while others waited")
    }

    /// Looks after it, several times a second: its memory, the time of its calls, and whether it lives.
    func look() {
        let now = ContinuousClock.now
        let isDue = state.withLock { $0.asksSystem(at: now) }
        let time = isDue ? state.withLock { $0.process }?.scriptTime : nil
        var late: [(Int, Heard)] = []
        // They go when nobody is kept waiting for that.
        let forgotten = state.withLock { $0.answered.forget(after: limits.time, now: now) }
        defer { withExtendedLifetime(forgotten) {} }
        let (process, stuck, asks) = state.withLock { state -> (WorkerProcess?, String?, Bool) in
            for (number, call) in state.calls where now > call.deadline && !call.isLate {
                state.calls[number]?.isLate = true
                late.append((number, call.heard))
            }
            if isDue { state.note(time) }
            let silence = state.isHeard ? .zero : state.silence
            var stuck: String?
            if silence > Self.patience, let late = state.late, state.process?.marks.running == late.number {
                stuck = late.script
            } else if silence > limits.time + Self.patience {
                let running = state.process?.marks.running
                stuck = (running.flatMap { state.call($0) } ?? state.calls.values.first)?.name.script ?? "a script"
            }
            let asks =
                state.askedAt == nil && state.isLoaded && (state.isBusy || now - state.heardAt > Self.idlePause)
            if asks { state.askedAt = now }
            return (state.process, stuck, asks)
        }
        for (number, heard) in late { heard(number, .late) }
        guard let process else { return }
        if asks { send(.ping) }
        let megabytes = isDue ? process.residentBytes >> 20 : 0
        if megabytes > limits.processMegabytes {
            end(because: "it took \(megabytes) MiB of memory, and scripts.memoryMegabytes is \(limits.memoryMegabytes)")
        } else if let stuck {
            end(because: "\(stuck) took all of its time for longer than scripts.timeSeconds")
        }
        retireIfIdle()
    }

    func retireIfIdle() {
        let isOver = state.withLock { $0.isRetiring && $0.calls.isEmpty && $0.answered.isEmpty }
        if isOver { send(.end) }
    }

    // MARK: Its threads

    private func run(_ command: WorkerCommand) {
        let process: WorkerProcess
        do throws(WorkerProcess.Fault) {
            process = try WorkerProcess(command)
        } catch {
            finish("\(error)")
            return
        }
        let isUnwanted = state.withLock { state in
            state.process = process
            return state.verdict != nil
        }
        if isUnwanted { process.kill() }
        NamedThread.start("zumod-script-in") { self.write(to: process) }
        NamedThread.start("zumod-script-log") { self.takeLines(of: process) }
        var reader = MessageReader(process.channel)
        while let message = reader.next({ state.withLock { $0.isHeard = true } }) {
            if let message = WorkerMessage(message) { take(message) }
            state.withLock { $0.isHeard = false }
        }
        // Whatever it has begun ends with it.
        process.kill()
        // Once it was waited for, its number may be another process's.
        state.withLock { $0.process = nil }
        let end = process.wait()
        state.withLock { if $0.culprit == nil { $0.culprit = process.marks.running } }
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
        finish(state.withLock { $0.verdict } ?? end, process.marks)
    }

    private func write(to process: WorkerProcess) {
        defer { helpersEnded.signal() }
        _ = MessageFrames.write(WorkerProgram.text, to: process.input)
        shutdown(process.input, Int32(SHUT_RDWR))
        while let messages = outgoing.take(upTo: 64) {
            for message in messages {
                let isSent = MessageFrames.write(message, to: process.channel)
                state.withLock { $0.queuedBytes -= message.count }
                if !isSent { return }
            }
        }
    }

    /// What native modules and Node itself print, line by line, as much of it as a log can bear.
    private func takeLines(of process: WorkerProcess) {
        defer { helpersEnded.signal() }
        var rest: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 8192)
        var allowance = LineRateLimit()
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
        guard !line.isEmpty, allowance.allowsOneMore() else { return }
        heard(.line(ScriptLogLine(level: .info, text: String(decoding: line.prefix(8192), as: UTF8.self), call: nil)))
    }

    /// - Parameter marks: what it has said of its calls; nil where it has begun none.
    private func finish(_ reason: String, _ marks: WorkerSharedState? = nil) {
        let (calls, culprit, isExpected, left) = state.withLock { state -> ([Int: Pending], Int?, Bool, String?) in
            state.isEnded = true
            defer { (state.calls, state.answered) = ([:], AnsweredCalls()) }
            return (state.calls, state.culprit, state.isRetiring && state.verdict == nil, state.left)
        }
        outgoing.close()
        for (number, call) in calls {
            let isBegun = marks.map { number <= $0.begun } ?? false
            if number == culprit || call.hasActed || isBegun && marks?.hasActed(number) == true {
                call.heard(number, .lost(reason, isCulprit: number == culprit))
            } else {
                call.heard(number, .moved(isSuspect: isBegun && culprit == nil))
            }
        }
        heard(.ended(left ?? reason, isExpected: isExpected && left == nil))
    }

    private func take(_ message: WorkerMessage) {
        // A worker that has much to say is alive.
        state.withLock { state in
            state.heardAt = .now
            if state.askedAt != nil { state.askedAt = .now }
        }
        switch message {
        case .reading(let file): state.withLock { $0.reading = file }
        case .loaded(let inventory, let words):
            // Whoever began it may not want what it has read.
            heard(.loaded(inventory, words))
            state.withLock { $0.isLoaded = true }
        case .pong:
            state.withLock { state in
                state.askedAt = nil
                state.heardAt = .now
                state.late = nil
            }
        case .log(let number, let level, let text):
            let name = number.flatMap { number in state.withLock { $0.call(number)?.name } }
            heard(.line(ScriptLogLine(level: level, text: text, call: name)))
        case .broken(let stack):
            state.withLock { state in
                if state.verdict == nil { state.left = "a script left an error to nobody: \(stack)" }
                if !state.isLoaded { state.verdict = state.left }
            }
            heard(.leaving)
            retire()
        case .ask(let number, let ask):
            let call = state.withLock { state -> Pending? in
                if state.calls[number]?.mayChange(by: ask) == true { state.calls[number]?.hasActed = true }
                return state.call(number)
            }
            tell(call, number, .ask(ask))
        case .operated(let number, let operation, let answer):
            tell(state.withLock { $0.call(number) }, number, .operated(operation, answer))
        case .skipped(let number):
            state.withLock { $0.calls.removeValue(forKey: number) }?.heard(number, .moved(isSuspect: false))
        case .done(let number, let answer):
            let call = state.withLock { state -> Pending? in
                guard let call = state.calls.removeValue(forKey: number) else { return nil }
                state.answered.add(number, call)
                return call
            }
            call?.heard(number, .done(answer))
        }
    }

    /// Tells a call what its script says. One that is forgotten here needs not be kept there.
    private func tell(_ call: Pending?, _ number: Int, _ event: CallEvent) {
        if let call { call.heard(number, event) } else { send(.cancel(call: number)) }
    }
}

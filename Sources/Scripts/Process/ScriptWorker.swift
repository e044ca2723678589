import Dispatch
import JSONText
import Platform
import Synchronization
import WorkThreads

/// One process that runs scripts, with the calls that are under way in it.
///
/// Three threads serve it: one begins it and reads what it sends, one writes, one takes what it prints.
final class ScriptWorker: Sendable {
    /// What becomes of a worker, as whoever began it hears of it.
    enum Event: Sendable {
        /// It has read the scripts.
        case loaded(JSONValue)
        /// A line for the log.
        case line(ScriptLogLine)
        /// It is no more; why, in words.
        case ended(String)
    }

    /// What a call in a worker hears.
    enum CallEvent: Sendable {
        /// The script wants something of the server.
        case ask(JSONValue)
        /// The script is done.
        case done(JSONValue)
        /// The worker ended under it.
        case lost(String)
    }

    private struct Pending {
        let heard: @Sendable (CallEvent) -> Void
        /// When the script answered: what it still asks for is done for a while.
        var doneAt: ContinuousClock.Instant?
        let name: ScriptCallName
    }

    private struct State {
        var process: WorkerProcess?
        /// Those under way, and those that may still ask for something.
        var calls: [Int: Pending] = [:]
        /// How many are under way.
        var load = 0
        var nextCall = 1
        var queuedBytes = 0
        var isEnded = false
        var isLoaded = false
        /// When it was asked for a sign of life that it has not given yet.
        var askedAt: ContinuousClock.Instant?
        /// Whether it is saying something right now, behind which its sign of life may stand.
        var isHeard = false
        /// When it last gave a sign of life.
        var heardAt = ContinuousClock.now
        /// The script that was given up as it took too long, until the worker shows that it lives all the same.
        var lateScript: String?
        /// Why it was ended, where it was.
        var verdict: String?
        /// It ends as soon as nothing is under way.
        var isRetiring = false
    }

    private let state = Mutex(State())
    private let outgoing = BlockingQueue<[UInt8]>()
    /// Is signalled by each of the two threads that write to the process and take what it prints, at their ends.
    private let helpersEnded = DispatchSemaphore(value: 0)
    private let limits: ScriptLimits
    private let heard: @Sendable (Event) -> Void

    /// The most bytes that wait for a worker to take them.
    private static let maximumQueue = 128 << 20
    /// How long a worker that should answer at once may be silent.
    private static let patience = Duration.milliseconds(100)
    /// How long one with nothing to do is left alone.
    private static let idlePause = Duration.seconds(5)

    /// Begins a process.
    init(
        _ command: WorkerCommand, loading message: JSONValue, limits: ScriptLimits,
        _ heard: @escaping @Sendable (Event) -> Void
    ) {
        self.limits = limits
        self.heard = heard
        _ = outgoing.push(MessageFrames.frame(message))
        NamedThread.start("zumod-script") { self.run(command) }
    }

    // MARK: What its host asks

    /// How many calls are under way; nil where it takes none.
    var load: Int? {
        state.withLock { state in
            guard state.isLoaded, !state.isEnded, !state.isRetiring, state.verdict == nil, state.lateScript == nil
            else { return nil }
            return state.load
        }
    }

    /// Whether it has not answered for a while.
    var isSilent: Bool {
        state.withLock { $0.askedAt.map { .now - $0 > Self.patience } ?? false }
    }

    /// Begins a call.
    /// - Returns: its number; nil where the worker takes no more.
    func begin(
        _ message: [JSONMember], named name: ScriptCallName,
        _ heard: @escaping @Sendable (CallEvent) -> Void
    ) -> Int? {
        let number = state.withLock { state -> Int? in
            guard !state.isEnded, !state.isRetiring, state.verdict == nil, state.load < limits.callsPerWorker
            else { return nil }
            let number = state.nextCall
            state.nextCall += 1
            state.calls[number] = Pending(heard: heard, name: name)
            state.load += 1
            return number
        }
        guard let number else { return nil }
        let members = [JSONMember("t", "call"), JSONMember("id", .integer(Int64(number)))] + message
        if send(.object(members)) { return number }
        state.withLock { state in
            if state.calls.removeValue(forKey: number) != nil { state.load -= 1 }
        }
        return nil
    }

    /// Sends a message.
    /// - Returns: false where too much waits already, or the worker is gone.
    @discardableResult
    func send(_ message: JSONValue) -> Bool {
        let bytes = MessageFrames.frame(message)
        guard bytes.count <= MessageFrames.maximumLength else { return false }
        let fits = state.withLock { state in
            guard !state.isEnded, state.queuedBytes + bytes.count <= Self.maximumQueue else { return false }
            state.queuedBytes += bytes.count
            return true
        }
        return fits && outgoing.push(bytes)
    }

    /// Gives a call up: whoever began it hears of it no more.
    /// - Parameter isLate: whether it took longer than it may. Where it holds up the whole worker, that is ended.
    func cancel(_ number: Int, isLate: Bool = false) {
        let isKnown = state.withLock { state in
            guard let call = state.calls.removeValue(forKey: number) else { return false }
            if call.doneAt == nil { state.load -= 1 }
            if isLate { state.lateScript = call.name.script }
            return true
        }
        guard isKnown else { return }
        send(["t": "cancel", "id": .integer(Int64(number))])
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
            if state.verdict == nil { state.verdict = verdict }
            state.process?.kill()
        }
    }

    /// Looks after it, several times a second: its memory, the time of its calls, and whether it lives.
    func look() {
        let now = ContinuousClock.now
        var forgotten: [JSONValue] = []
        let (process, stuck, asks) = state.withLock { state -> (WorkerProcess?, String?, Bool) in
            for (number, call) in state.calls {
                guard let doneAt = call.doneAt, now - doneAt > limits.time else { continue }
                state.calls.removeValue(forKey: number)
                forgotten.append(.integer(Int64(number)))
            }
            let silence = state.isHeard ? .zero : state.askedAt.map { now - $0 } ?? .zero
            var stuck: String?
            if silence > Self.patience, let late = state.lateScript {
                stuck = late
            } else if silence > limits.time + Self.patience {
                stuck = state.calls.values.first?.name.script ?? "a script"
            }
            let isBusy = state.load > 0 || state.lateScript != nil
            let asks = state.askedAt == nil && state.isLoaded && (isBusy || now - state.heardAt > Self.idlePause)
            if asks { state.askedAt = now }
            return (state.process, stuck, asks)
        }
        guard let process else { return }
        if !forgotten.isEmpty { send(["t": "forget", "ids": .array(forgotten)]) }
        if asks { send(["t": "ping", "n": 1]) }
        let megabytes = process.residentBytes >> 20
        if megabytes > limits.processMegabytes {
            end(because: "it took \(megabytes) MiB of memory, and scripts.memoryMegabytes is \(limits.memoryMegabytes)")
        } else if let stuck {
            end(because: "\(stuck) took all of its time for longer than scripts.timeSeconds")
        }
        retireIfIdle()
    }

    private func retireIfIdle() {
        let isOver = state.withLock { $0.isRetiring && $0.calls.isEmpty }
        if isOver { send(["t": "end"]) }
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
        while let message = MessageFrames.read(from: process.channel, { state.withLock { $0.isHeard = true } }) {
            take(message)
            state.withLock { $0.isHeard = false }
        }
        // Whatever it has begun ends with it.
        process.kill()
        // Once it was waited for, its number may be another process's.
        state.withLock { $0.process = nil }
        let end = process.wait()
        outgoing.close()
        shutdown(process.channel, Int32(SHUT_RDWR))
        shutdown(process.input, Int32(SHUT_RDWR))
        // A process that it detached may keep the other end for as long as it likes.
        shutdown(process.output, Int32(SHUT_RDWR))
        // Closed only when nobody uses them: their numbers belong to somebody else then.
        helpersEnded.wait()
        helpersEnded.wait()
        for descriptor in [process.channel, process.input, process.output] { close(descriptor) }
        finish(state.withLock { $0.verdict } ?? end)
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
        var allowance = LineAllowance()
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

    private func print(_ line: ArraySlice<UInt8>, _ allowance: inout LineAllowance) {
        guard !line.isEmpty, allowance.allowsOneMore() else { return }
        heard(.line(ScriptLogLine(level: .info, text: String(decoding: line.prefix(8192), as: UTF8.self), call: nil)))
    }

    private func finish(_ reason: String) {
        let calls = state.withLock { state -> [Pending] in
            state.isEnded = true
            defer { (state.calls, state.load) = ([:], 0) }
            return Array(state.calls.values)
        }
        outgoing.close()
        for call in calls where call.doneAt == nil { call.heard(.lost(reason)) }
        heard(.ended(reason))
    }

    private func take(_ message: JSONValue) {
        // A worker that has much to say is alive.
        state.withLock { state in
            state.heardAt = .now
            if state.askedAt != nil { state.askedAt = .now }
        }
        let number = message["id"]?.integerValue.map { Int($0) }
        switch message["t"]?.textValue {
        case "loaded":
            // Whoever began it may not want what it has read.
            heard(.loaded(message))
            state.withLock { $0.isLoaded = true }
        case "pong":
            state.withLock { state in
                state.askedAt = nil
                state.heardAt = .now
                state.lateScript = nil
            }
        case "log":
            let name = number.flatMap { number in state.withLock { $0.calls[number]?.name } }
            heard(
                .line(
                    ScriptLogLine(
                        level: message["level"]?.textValue.flatMap(ScriptLogLine.Level.init(rawValue:)) ?? .info,
                        text: message["text"]?.textValue ?? "", call: name)))
        case "broken":
            let stack = message["stack"]?.textValue ?? message["message"]?.textValue ?? "?"
            state.withLock { if $0.verdict == nil { $0.verdict = "a script left an error to nobody: \(stack)" } }
        case "ask":
            number.flatMap { number in state.withLock { $0.calls[number] } }?.heard(.ask(message))
        case "done":
            let heard = number.flatMap { number in
                state.withLock { state -> (@Sendable (CallEvent) -> Void)? in
                    guard let call = state.calls[number], call.doneAt == nil else { return nil }
                    state.calls[number]?.doneAt = .now
                    state.load -= 1
                    return state.calls[number]?.heard
                }
            }
            heard?(.done(message["answer"] ?? .null))
        default: break
        }
    }
}

/// A line that a script writes for the log.
public struct ScriptLogLine: Sendable {
    /// How much it matters.
    public enum Level: String, Sendable {
        case info, warning, error
    }

    /// How much it matters.
    public let level: Level
    /// What it says.
    public let text: String
    /// The call that it belongs to; nil for a line that belongs to none.
    public let call: ScriptCallName?
}

/// What the log calls a call of a script.
public struct ScriptCallName: Sendable {
    /// The script's file, from the project's folder, and what it was to do.
    public let script: String
    /// The id of the request; nil for a job.
    public let request: String?
}

/// How many lines a second of what a process prints are kept.
private struct LineAllowance {
    private static let most = 200
    private var since = ContinuousClock.now
    private var count = 0

    mutating func allowsOneMore() -> Bool {
        let now = ContinuousClock.now
        if now - since > .seconds(1) { (since, count) = (now, 0) }
        count += 1
        return count <= Self.most
    }
}

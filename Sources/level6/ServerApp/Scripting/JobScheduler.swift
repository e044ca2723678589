import Access
import Scalars
import Scripts
import ServerConfiguration
import ServerLogging
import TableOperations
import Tables

/// Starts the jobs of scripts on schedule, each on only one server of the database at a time.
struct JobScheduler: Sendable {
    let jobs: [(job: ScriptedJob, schedule: CronSchedule)]
    /// The jobs that run once, when the server starts.
    let first: [ScriptedJob]
    let scripts: ScriptedAPIs
    let tables: ServerTables
    let store: any JobStore
    let clock: Clock
    let logger: Log

    /// How long a server reserves a job; the reservation is renewed while the job runs.
    private static let lease = Duration.seconds(30)
    /// The maximum duration of a job.
    private static let longest = Duration.seconds(15 * 60)

    /// - Parameter beginning: whether the server is starting, as opposed to taking another configuration.
    /// - Returns: nil if no job has a schedule or runs at the start.
    init?(
        _ host: ScriptHost, _ scripts: ScriptedAPIs, _ tables: ServerTables, _ store: any TableStore,
        beginning: Bool, clock: @escaping Clock, _ logger: Log
    ) {
        let jobs = host.inventory.jobs.compactMap { job in
            job.cron.flatMap { CronSchedule($0) }.map { (job: job, schedule: $0) }
        }
        let first = beginning ? host.inventory.jobs.filter { $0.cron == ScriptedJob.atStart } : []
        guard !jobs.isEmpty || !first.isEmpty, let store = store as? any JobStore else { return nil }
        self.jobs = jobs
        self.first = first
        self.scripts = scripts
        self.tables = tables
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Runs until the task is cancelled. Minutes missed while the server was down are not made up for.
    func run() async {
        var times = JobTimes(jobs.map(\.schedule), from: clock())
        await withDiscardingTaskGroup { group in
            for job in first { group.addTask { await begin(job) } }
            while !Task.isCancelled {
                let step = times.next(at: clock())
                for number in step.due {
                    group.addTask { _ = await run(jobs[number].job, for: step.minute) }
                }
                try? await Task.sleep(for: step.pause)
            }
        }
    }

    /// Runs a job at the start, unless another server has run it in the meantime. A server that was killed keeps the
    /// job reserved until its lease ends.
    private func begin(_ job: ScriptedJob) async {
        // Each start has its own slot, so that a restarted server runs the job again.
        let slot = Self.moment(of: clock())
        let end = ContinuousClock.now + Self.lease * 2
        while await !run(job, for: slot) {
            guard ContinuousClock.now < end, (try? await Task.sleep(for: Self.lease / 6)) != nil else {
                logger.notice("a job is left out: another server has it", members: ["job": "\(job.name)"])
                return
            }
        }
    }

    /// - Returns: false if another server has reserved it.
    private func run(_ job: ScriptedJob, for slot: Int64) async -> Bool {
        do {
            let now = clock()
            guard try await store.lease(job: job.name, slot: slot, now: now, until: later(now)) else { return false }
        } catch {
            logger.error("a job could not be begun", members: ["job": "\(job.name)", "detail": "\(error)"])
            return true
        }
        let start = ContinuousClock.now
        let renewal = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.lease / 3)
                if Task.isCancelled { return }
                try? await store.extendLease(of: job.name, slot: slot, until: later(clock()))
            }
        }
        var members: [String: String] = ["job": "\(job.name)"]
        var held = slot
        do throws(ScriptedAPIs.Fault) {
            try await scripts.run(job, tables: tables, within: Self.longest)
            members["ms"] = "\(start.duration(to: .now) / .milliseconds(1))"
            logger.notice("a job is done", members: members)
        } catch {
            members["detail"] = "\(error)"
            logger.error("a job failed", members: members)
        }
        renewal.cancel()
        await renewal.value
        if members["ms"] != nil, job.cron == ScriptedJob.atStart { held = await noteDone(job, since: slot) }
        try? await store.extendLease(of: job.name, slot: held, until: clock())
        return true
    }

    /// Marks a job as done for servers that started while it ran here and that wait for it.
    /// - Returns: the slot by which it is reserved.
    private func noteDone(_ job: ScriptedJob, since slot: Int64) async -> Int64 {
        let now = clock()
        let last = Self.moment(of: now)
        guard last > slot else { return slot }
        // It is reserved by this server, which takes it over from itself.
        let end = later(now)
        let until = Instant(milliseconds: end.milliseconds + 1)
        let isTaken = (try? await store.lease(job: job.name, slot: last, now: end, until: until)) ?? false
        return isTaken ? last : slot
    }

    /// Coarse enough that a slot of the next minute isn't taken for that of a clock far ahead.
    private static func moment(of instant: Instant) -> Int64 { instant.milliseconds / 100 }

    private func later(_ instant: Instant) -> Instant {
        Instant(milliseconds: instant.milliseconds + Self.lease.components.seconds * 1_000)
    }
}

extension Application {
    /// Starts the jobs of the configuration's scripts.
    /// - Parameter beginning: whether the server is starting, so that jobs that run once run too.
    /// - Returns: nil if there are none.
    func jobs(of parts: ServerParts, beginning: Bool) -> Task<Void, Never>? {
        guard let host = configuration.scripts else { return nil }
        let store = parts.database.store
        let operations = TableOperations(
            store: store, access: [:], behaviours: configuration.behaviours, notices: parts.webhooks,
            serves: { [names = Set(configuration.tables.map(\.name))] in names.contains($0.name) || $0.isClients })
        let scripts = ScriptedAPIs(host, ScriptParts.services(over: parts.database, parts.logger))
        guard
            let clock = JobScheduler(
                host, scripts, ServerTables(operations, by: .admin(nil)), store, beginning: beginning,
                clock: parts.clock, parts.logger)
        else { return nil }
        return Task { await clock.run() }
    }
}

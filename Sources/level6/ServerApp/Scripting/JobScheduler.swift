import Access
import Scalars
import Scripts
import ServerConfiguration
import ServerLogging
import TableOperations
import Tables

/// Begins the jobs of scripts by the clock, each on one server of the database at a time.
struct JobScheduler: Sendable {
    let jobs: [(job: ScriptedJob, schedule: CronSchedule)]
    /// What runs once, as the server begins.
    let first: [ScriptedJob]
    let scripts: ScriptedAPIs
    let tables: ServerTables
    let store: any JobStore
    let clock: Clock
    let logger: Log

    /// For how long a job is taken; it is taken again while it runs.
    private static let lease = Duration.seconds(30)
    /// How long a job may run.
    private static let longest = Duration.seconds(15 * 60)

    /// - Returns: nil if no job has a time and none runs at the beginning.
    init?(
        _ host: ScriptHost, _ scripts: ScriptedAPIs, _ tables: ServerTables, _ store: any TableStore,
        clock: @escaping Clock, _ logger: Log
    ) {
        let jobs = host.inventory.jobs.compactMap { job in
            job.cron.flatMap { CronSchedule($0) }.map { (job: job, schedule: $0) }
        }
        let first = host.inventory.jobs.filter { $0.cron == ScriptedJob.atStart }
        guard !jobs.isEmpty || !first.isEmpty, let store = store as? any JobStore else { return nil }
        self.jobs = jobs
        self.first = first
        self.scripts = scripts
        self.tables = tables
        self.store = store
        self.clock = clock
        self.logger = logger
    }

    /// Goes on until the task is cancelled. A minute that was missed, as the server was not there, is not made up for.
    func run() async {
        var times = JobTimes(jobs.map(\.schedule), from: clock())
        await withDiscardingTaskGroup { group in
            // Of each moment its own: a server that begins anew runs them again.
            for job in first { group.addTask { await run(job, for: clock().milliseconds) } }
            while !Task.isCancelled {
                let step = times.next(at: clock())
                for number in step.due {
                    group.addTask { await run(jobs[number].job, for: step.minute) }
                }
                try? await Task.sleep(for: step.pause)
            }
        }
    }

    private func run(_ job: ScriptedJob, for slot: Int64) async {
        do {
            let now = clock()
            guard try await store.lease(job: job.name, slot: slot, now: now, until: later(now)) else { return }
        } catch {
            logger.error("a job could not be begun", members: ["job": "\(job.name)", "detail": "\(error)"])
            return
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
        try? await store.extendLease(of: job.name, slot: slot, until: clock())
    }

    private func later(_ instant: Instant) -> Instant {
        Instant(milliseconds: instant.milliseconds + Self.lease.components.seconds * 1_000)
    }
}

extension Application {
    /// Starts the jobs of the configuration's scripts.
    /// - Returns: nil if there are none.
    func jobs(of parts: ServerParts) -> Task<Void, Never>? {
        guard let host = configuration.scripts else { return nil }
        let store = parts.database.store
        let operations = TableOperations(
            store: store, access: [:], behaviours: configuration.behaviours, notices: parts.webhooks,
            serves: { [names = Set(configuration.tables.map(\.name))] in names.contains($0.name) || $0.isClients })
        let scripts = ScriptedAPIs(host, ScriptParts.errands(over: parts.database, parts.logger))
        guard
            let clock = JobScheduler(
                host, scripts, ServerTables(operations, by: .admin(nil)), store, clock: parts.clock, parts.logger)
        else { return nil }
        return Task { await clock.run() }
    }
}

import Scripts
import ServerConfiguration

extension Application {
    /// Stops the workers of scripts, for a command that only examined them.
    public func endScripts() { configuration.scripts?.close() }

    /// A line for each script that would be served.
    public var scriptLines: [String] {
        guard let inventory = configuration.scripts?.inventory else { return [] }
        let tables = inventory.tables.flatMap { table in
            // Each operation of a Mobile Service has its own file.
            let files = Dictionary(grouping: table.operations) { table.file(of: $0) }
            return files.sorted { $0.key < $1.key }.map { file, operations in
                "script \(file): table \(table.name), \(operations.joined(separator: ", ")) "
                    + "(\(table.generation.rawValue))"
            }
        }
        let apis = inventory.apis.map { api in
            let verbs = api.verbs.map { "\($0.verb) \($0.access)" }.joined(separator: ", ")
            return "script \(api.file): API /api/\(api.name), \(verbs) (\(api.generation.rawValue))"
        }
        let jobs = inventory.jobs.map { job in
            "script \(job.file): job \(job.name), " + Self.time(of: job)
        }
        return tables + apis + jobs
    }

    private static func time(of job: ScriptedJob) -> String {
        guard let cron = job.cron else { return "never by itself: it has no cron" }
        return cron == ScriptedJob.atStart ? "as the server begins" : "at \(cron)"
    }
}

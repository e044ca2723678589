import CustomAPI
import Dispatch
import Operating
import Scripts
import ServerConfiguration
import ServerLogging

/// Rereads the configuration on request, one request at a time, and has the server use it if there is nothing wrong
/// with it.
struct Reloader: Sendable {
    let reading: ConfigurationReading
    let extensions: Extensions
    let server: RunningServer
    /// Whether the database may be updated to the configuration's tables.
    let migrates: Bool
    let service: ServiceManager?
    let changes: ScriptChanges
    let logger: Log

    /// The pause before another attempt when the database is unavailable.
    static let pause = Duration.seconds(5)

    /// Runs until the task is cancelled.
    func run(at requests: AsyncStream<Void>) async {
        var iterator = requests.makeAsyncIterator()
        while await iterator.next() != nil {
            while await !reloadAndTell(), !Task.isCancelled { try? await Task.sleep(for: Self.pause) }
        }
    }

    private func reloadAndTell() async -> Bool {
        service?.isReloading()
        let isOver = await reload()
        service?.isReady(server.status)
        return isOver
    }

    /// - Returns: false if it has to be tried again because the database is unavailable.
    private func reload() async -> Bool {
        let configuration: Configuration
        let files = changes.files()
        switch await read() {
        case .success(let read): configuration = read
        case .failure(let faults):
            for fault in faults.all { refuse("\(fault)") }
            return true
        }
        do throws(StartFault) {
            if !migrates { try await DatabaseMigration(of: configuration).refusePending(because: "--no-migrate") }
            try await server.take(Application(configuration, extensions: extensions, reading: reading))
        } catch {
            configuration.scripts?.close()
            // The server is stopping, and its database has been closed.
            if Task.isCancelled { return true }
            switch error {
            case .configuration(let sentence), .bug(let sentence): refuse(sentence)
            case .database(let sentence):
                refuse("\(sentence); it is tried again")
                return false
            }
            return true
        }
        changes.watch(configuration.scripts, since: files)
        for warning in configuration.warnings { logger.warning("\(warning)") }
        for note in configuration.notes { logger.notice("\(note)") }
        for key in server.waiting(of: configuration) { logger.warning("\(key): the change needs a restart") }
        server.note(refused: nil)
        logger.notice(
            "the configuration was read again and is in force", members: ["tables": "\(configuration.tables.count)"])
        return true
    }

    private func refuse(_ sentence: String) {
        assert(!sentence.isEmpty, "a configuration is refused for a reason")
        server.note(refused: sentence)
        logger.error("the configuration can't be taken, and the one before stays in force: \(sentence)")
    }

    /// Reads on a separate thread, as a disk may be slow.
    private func read() async -> Result<Configuration, ConfigurationFaults> {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .utility).async {
                continuation.resume(
                    returning: Result { () throws(ConfigurationFaults) in try reading.read() })
            }
        }
    }
}

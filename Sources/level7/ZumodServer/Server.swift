import Foundation
import MetricSeries
import Operating
import ServerApp
import ServerConfiguration
public import ServerLogging

/// The server as a library: `zumod serve` with a program's own APIs and hooks.
public struct Server: Sendable {
    private let application: Application
    private let registry = MetricRegistry()
    private let hear: (@Sendable (LogEvent) -> Void)?

    /// Reads and checks a configuration directory, with the environment on top of it, as `zumod serve` does.
    /// - Parameters:
    ///   - directory: a folder with `zumod.yaml` and `tables/`; if nil, `ZUMOD_CONFIG`, `config` or `/etc/zumod`.
    ///   - extensions: what the program adds.
    ///   - log: called for each event that gets a line in the log, one at a time, in addition to the lines on standard
    ///     error. It runs on its own thread and may take its time: once 10,000 events are waiting, further ones are
    ///     dropped and counted.
    public init(
        configuration directory: String? = nil, extensions: Extensions = Extensions(),
        log: (@Sendable (LogEvent) -> Void)? = nil
    ) throws(ServerFault) {
        hear = log
        let environment = ProcessInfo.processInfo.environment
        let named = environment["ZUMOD_CONFIG"] ?? ""
        let sources = ConfigurationSources(
            directory: directory ?? (named.isEmpty ? ConfigurationSources.usualDirectory : named),
            environment: environment)
        do throws(ConfigurationFaults) {
            let socket = try InheritedSocket.find(in: environment)
            let reading = ConfigurationReading(sources.listening(on: socket))
            application = Application(try reading.read(), extensions: extensions, reading: reading, socket: socket)
        } catch {
            throw .configuration(error.all.map(\.description))
        }
    }

    /// The current value of every series that `/metrics` shows, except those that are looked up for each page
    /// (`process_…`, queues, rows). Can be called from any thread, while the server runs and afterwards.
    public func readings() -> [MetricReading] { registry.readings() }

    /// Serves until SIGTERM or SIGINT, then lets requests in flight finish; a second signal stops at once. SIGHUP makes
    /// it reread its configuration.
    ///
    /// Prints one line on standard output when it is ready: `zumod listening on http://HOST:PORT`.
    public func run() async throws(ServerFault) {
        do throws(StartFault) {
            try await application.run(measuredBy: registry, hear: hear)
        } catch {
            switch error {
            case .configuration(let sentence): throw .configuration([sentence])
            case .database(let sentence): throw .database(sentence)
            case .bug(let sentence): throw .bug(sentence)
            }
        }
    }
}

/// Why the server did not start, in sentences for the operator.
public enum ServerFault: Error, Sendable, CustomStringConvertible {
    /// Everything that is wrong with the configuration or with the program's extensions.
    case configuration([String])
    /// The database can't be opened.
    case database(String)
    /// Something that should be impossible happened.
    case bug(String)

    /// One sentence per line.
    public var description: String {
        switch self {
        case .configuration(let sentences): sentences.joined(separator: "\n")
        case .database(let sentence), .bug(let sentence): sentence
        }
    }
}

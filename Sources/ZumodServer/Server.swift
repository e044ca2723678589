import Foundation
import Operating
import ServerApp
import ServerConfiguration

/// The server as a library: `zumod serve` with a program's own APIs and hooks.
public struct Server: Sendable {
    private let application: Application

    /// Reads and checks a configuration directory, and the environment over it as `zumod serve` does.
    /// - Parameters:
    ///   - directory: with `zumod.yaml` and `tables/`; nil for `ZUMOD_CONFIG`, else `config` or `/etc/zumod`.
    ///   - extensions: what the program adds.
    public init(configuration directory: String? = nil, extensions: Extensions = Extensions()) throws(ServerFault) {
        let environment = ProcessInfo.processInfo.environment
        let named = environment["ZUMOD_CONFIG"] ?? ""
        let sources = ConfigurationSources(
            directory: directory ?? (named.isEmpty ? ConfigurationSources.usualDirectory : named),
            environment: environment)
        do throws(ConfigurationFaults) {
            let socket = try GivenSocket.find(in: environment)
            let reading = ConfigurationReading(sources.listening(on: socket))
            application = Application(try reading.read(), extensions: extensions, reading: reading, socket: socket)
        } catch {
            throw .configuration(error.all.map(\.description))
        }
    }

    /// Serves until SIGTERM or SIGINT, then lets requests in flight finish; a second signal stops at once. SIGHUP has it read
    /// its configuration again.
    ///
    /// Prints one line on standard output when it is ready: `zumod listening on http://HOST:PORT`.
    public func run() async throws(ServerFault) {
        do throws(StartFault) {
            try await application.run()
        } catch {
            switch error {
            case .configuration(let sentence): throw .configuration([sentence])
            case .database(let sentence): throw .database(sentence)
            case .bug(let sentence): throw .bug(sentence)
            }
        }
    }
}

/// Why the server did not start. The sentences are for the operator.
public enum ServerFault: Error, Sendable, CustomStringConvertible {
    /// Everything that is wrong with the configuration or with what the program adds.
    case configuration([String])
    /// The database doesn't open.
    case database(String)
    /// Something that can't happen, happened.
    case bug(String)

    /// One sentence a line.
    public var description: String {
        switch self {
        case .configuration(let sentences): sentences.joined(separator: "\n")
        case .database(let sentence), .bug(let sentence): sentence
        }
    }
}

import ArgumentParser
import Foundation
import ServerApp

/// The ways in which a command ends, by the exit codes of sysexits.h.
enum Exit {
    static let unavailable = ExitCode(69)
    static let bug = ExitCode(70)
    static let configuration = ExitCode(78)

    /// Writes a sentence to standard error.
    static func say(_ sentence: String) {
        FileHandle.standardError.write(Data("\(sentence)\n".utf8))
    }

    /// Writes every fault to standard error and ends with the code for a wrong configuration.
    static func tell(_ faults: ConfigurationFaults) -> ExitCode {
        for fault in faults.all { say("error: \(fault)") }
        return configuration
    }
}

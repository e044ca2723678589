import Conformance
import Foundation
import Operating
import Platform
import ServerApp
import ServerConfiguration

/// How commands end, with the exit codes of sysexits.h.
enum Exit {
    static let usage: Int32 = 64
    static let data: Int32 = 65
    static let unavailable: Int32 = 69
    static let bug: Int32 = 70
    static let file: Int32 = 74
    static let configuration: Int32 = 78

    /// Writes a sentence to standard error. Text in it from another server or a file can't affect the terminal.
    /// - Parameter hasLines: whether its line breaks are ours, and not meant to make foreign text look like one of our
    ///   messages.
    static func say(_ sentence: String, hasLines: Bool = true) {
        StandardStreams.complain("\(harmless(sentence, hasLines: hasLines))\n")
    }

    /// Returns the text with escapes for terminal control characters and those that change the writing direction.
    static func harmless(_ text: String, hasLines: Bool = true) -> String {
        var shown = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A where hasLines: shown.unicodeScalars.append(scalar)
            case 0..<0x20, 0x7F...0x9F, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069:
                shown += "\\u{\(String(scalar.value, radix: 16))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return shown
    }

    /// Reports why a command failed.
    /// - Returns: the exit code.
    static func tell(_ fault: any Error) -> Int32 {
        switch fault {
        case let faults as ConfigurationFaults:
            for fault in faults.all { say("error: \(fault)") }
            return configuration
        case CommandFault.application(let fault): return tell(fault)
        case CommandFault.usage(let sentence): return tell(sentence, usage)
        case CommandFault.data(let sentence): return tell(sentence, data, hasLines: false)
        case CommandFault.file(let sentence): return tell(sentence, file)
        case StartFault.database(let sentence): return tell("database: \(sentence)", unavailable)
        case StartFault.configuration(let sentence): return tell(sentence, configuration)
        case StartFault.bug(let sentence): return tell("a bug in zumod: \(sentence)", bug)
        case ConformanceRun.Fault.unreachable(let sentence): return tell(sentence, unavailable, hasLines: false)
        case ConformanceRun.Fault.unusable(let sentence), ConformanceRun.Fault.nothingToDo(let sentence):
            return tell(sentence, usage, hasLines: false)
        case let fault as HealthProbe.Fault: return tell("\(fault)", unavailable)
        default: return tell("a bug in zumod: \(fault)", bug)
        }
    }

    private static func tell(_ sentence: String, _ code: Int32, hasLines: Bool = true) -> Int32 {
        say("error: \(sentence)", hasLines: hasLines)
        return code
    }
}

import Arguments
import Foundation
import Operating
import Platform
import ServerApp
import ServerConfiguration

/// The ways in which a command ends, by the exit codes of sysexits.h.
enum Exit {
    static let usage = CommandEnd.code(64)
    static let data = CommandEnd.code(65)
    static let file = CommandEnd.code(74)
    static let unavailable = CommandEnd.code(69)
    static let bug = CommandEnd.code(70)
    static let configuration = CommandEnd.code(78)

    /// Writes a sentence to standard error. What another server or a file put into it can't affect the terminal.
    /// - Parameter hasLines: whether a line break in it is ours, and not something that is meant to look like a message
    ///   of ours.
    static func say(_ sentence: String, hasLines: Bool = true) {
        StandardStreams.complain("\(harmless(sentence, hasLines: hasLines))\n")
    }

    /// The text with terminal control characters, and those that change the writing direction, as escapes.
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

    /// Writes every fault to standard error and ends with the code for a wrong configuration.
    static func tell(_ faults: ConfigurationFaults) -> CommandEnd {
        for fault in faults.all { say("error: \(fault)") }
        return configuration
    }

    /// Says why a command did not do what it was asked to, and ends with the code for it.
    static func tell(_ fault: CommandFault) -> CommandEnd {
        switch fault {
        case .application(let fault):
            return tell(fault)
        case .usage(let sentence):
            say("error: \(sentence)")
            return usage
        case .data(let sentence):
            say("error: \(sentence)", hasLines: false)
            return data
        case .file(let sentence):
            say("error: \(sentence)")
            return file
        }
    }

    /// Says why the server did not start, and ends with the code for it.
    static func tell(_ fault: StartFault) -> CommandEnd {
        switch fault {
        case .database(let sentence):
            say("error: database: \(sentence)")
            return unavailable
        case .configuration(let sentence):
            say("error: \(sentence)")
            return configuration
        case .bug(let sentence):
            say("error: a bug in zumod: \(sentence)")
            return bug
        }
    }
}

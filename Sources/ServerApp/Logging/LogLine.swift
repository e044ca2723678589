import ByteText
import Logging
import OData
import ServerConfiguration
import Tables

/// One line of the log as it is written, member by member.
///
/// Whatever a client sent can stand in it: nothing ends the line, gives orders to a terminal or turns the direction of
/// the text round.
struct LogLine {
    private var bytes: [UInt8] = []
    private let format: Configuration.Log.Format

    /// Begins a line with what every line has.
    init(_ level: Logger.Level, _ message: String, in format: Configuration.Log.Format) {
        self.format = format
        bytes.reserveCapacity(512)
        switch format {
        case .text:
            // `2026-11-21T12:00:00.123Z info served status=200 …`.
            SystemClock.now().append(to: &bytes)
            bytes.append(UInt8(ascii: " "))
            raw(level.rawValue)
            bytes.append(UInt8(ascii: " "))
            if Self.isPlain(message.utf8, besides: UInt8(ascii: " ")) { raw(message) } else { escape(message) }
        case .json:
            raw("{\"time\":\"")
            SystemClock.now().append(to: &bytes)
            raw("\",\"level\":\"")
            raw(level.rawValue)
            raw("\",\"message\":")
            quote(message)
        }
    }

    /// Adds a member.
    /// - Parameter name: of the program's own words.
    mutating func add(_ name: String, _ value: String) {
        begin(name)
        switch format {
        case .json: quote(value)
        case .text:
            if !value.isEmpty, Self.isPlain(value.utf8, besides: nil) { raw(value) } else { quote(value) }
        }
    }

    /// Adds a number.
    mutating func add(_ name: String, number: Int64) {
        begin(name)
        raw(String(number))
    }

    /// The whole line.
    consuming func end() -> [UInt8] {
        if format == .json { bytes.append(UInt8(ascii: "}")) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }

    private mutating func begin(_ name: String) {
        switch format {
        case .text:
            bytes.append(UInt8(ascii: " "))
            raw(name)
            bytes.append(UInt8(ascii: "="))
        case .json:
            bytes.append(UInt8(ascii: ","))
            quote(name)
            bytes.append(UInt8(ascii: ":"))
        }
    }

    private mutating func raw(_ text: String) {
        bytes.append(contentsOf: text.utf8)
    }

    /// Quotes a text, so that a reader can tell where it ends.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        if Self.isPlain(text.utf8, besides: UInt8(ascii: " ")) { raw(text) } else { escape(text) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Whether a text can stand as it is: visible ASCII without quotes and backslashes.
    private static func isPlain(_ text: String.UTF8View, besides extra: UInt8?) -> Bool {
        text.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): false
            case 33..<127: true
            default: byte == extra
            }
        }
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch (scalar, format) {
            case ("\"", .text): bytes.append(UInt8(ascii: "'"))
            case ("\\", .text): bytes.append(UInt8(ascii: "\\"))
            // Words of a database come in several lines.
            case ("\n", .text), ("\r", .text), ("\t", .text): bytes.append(UInt8(ascii: " "))
            case ("\"", .json): raw("\\\"")
            case ("\\", .json): raw("\\\\")
            case ("\n", .json): raw("\\n")
            case ("\r", .json): raw("\\r")
            case ("\t", .json): raw("\\t")
            default:
                guard Self.isHarmful(scalar) else {
                    bytes.append(contentsOf: String(scalar).utf8)
                    continue
                }
                escape(scalar)
            }
        }
    }

    /// Control characters of both kinds, what is not seen (such as turns of direction), and ends of lines.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
        default: false
        }
    }

    /// `\u{9b}` for people, and what JSON has for it for programs.
    private mutating func escape(_ scalar: Unicode.Scalar) {
        switch format {
        case .text: raw("\\u{\(String(scalar.value, radix: 16))}")
        case .json:
            for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() {
                raw("\\u" + unit.hexText)
            }
        }
    }
}

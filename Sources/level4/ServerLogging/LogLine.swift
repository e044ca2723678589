import ByteText
import Scalars
import Tables

/// One line of the log, written member by member directly into its final memory.
///
/// It may contain anything that a client sent: nothing in it ends the line, controls a terminal or reverses the
/// direction of text.
struct LogLine: ~Copyable {
    /// The size in bytes that suffices for nearly all lines; a longer one is written twice.
    private static let usualSize = 512

    private var room: LineBuffer
    private let isJSON: Bool
    /// The members as values; nil if they are written to the line.
    private var values: [String: String]?

    /// Returns a line with its line break.
    /// - Parameter add: adds the members; called again if the line is long.
    static func bytes(
        _ level: LogLevel, _ message: String, in format: LogSettings.Format,
        adding add: (inout LogLine) -> Void
    ) -> [UInt8] {
        let time = SystemClock.now()
        var size = usualSize
        while true {
            var needed = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { memory, count in
                var line = unsafe LogLine(LineBuffer(memory), isJSON: format == .json)
                line.begin(time, level, message)
                add(&line)
                line.end()
                needed = line.room.count
                count = min(needed, size)
            }
            if needed <= size { return bytes }
            size = needed
        }
    }

    /// Returns the members that a line would have.
    static func members(adding add: (inout LogLine) -> Void) -> [String: String] {
        var line = unsafe LogLine(LineBuffer(UnsafeMutableBufferPointer(start: nil, count: 0)), isJSON: false)
        line.values = [:]
        add(&line)
        return line.values ?? [:]
    }

    private init(_ room: consuming LineBuffer, isJSON: Bool) {
        self.room = room
        self.isJSON = isJSON
    }

    /// Adds a member.
    /// - Parameter name: a fixed name, which needs no escaping.
    mutating func add(_ name: StaticString, _ value: String) {
        guard values == nil else { return keep(name, value) }
        begin(name)
        put(value)
    }

    /// Adds a member with a fixed value, which needs no escaping.
    mutating func add(_ name: StaticString, word: String) {
        guard values == nil else { return keep(name, word) }
        begin(name)
        if isJSON { room.put(UInt8(ascii: "\"")) }
        room.put(word)
        if isJSON { room.put(UInt8(ascii: "\"")) }
    }

    /// Adds a member whose name is not fixed.
    mutating func add(named name: String, _ value: String) {
        guard values == nil else { return keep(name, value) }
        begin(name)
        put(value)
    }

    /// Adds a number.
    mutating func add(_ name: StaticString, number: Int64) {
        guard values == nil else { return keep(name, number) }
        begin(name)
        room.put(number)
    }

    /// Adds a number whose name is not fixed.
    mutating func add(named name: String, number: Int64) {
        guard values == nil else { return keep(name, number) }
        begin(name)
        room.put(number)
    }

    /// Adds a member whose bytes may appear unchanged in a line.
    /// - Returns: false, without adding anything, if they may not or if there are none.
    mutating func add(_ name: StaticString, ifPlain value: Span<UInt8>) -> Bool {
        guard values == nil else { return false }
        let start = room.count
        begin(name)
        if isJSON { room.put(UInt8(ascii: "\"")) }
        guard !value.isEmpty, room.put(plain: value) else {
            room.goBack(to: start)
            return false
        }
        if isJSON { room.put(UInt8(ascii: "\"")) }
        return true
    }

    // Kept out of line, as nearly every line is only written.
    @inline(never)
    private mutating func keep(_ name: some CustomStringConvertible, _ value: some CustomStringConvertible) {
        values?[name.description] = value.description
    }

    /// Begins a line with what all lines have.
    private mutating func begin(_ time: Instant, _ level: LogLevel, _ message: String) {
        if isJSON {
            room.put("{\"time\":\"")
            room.put(time)
            room.put("\",\"level\":\"")
            room.put(Self.name(of: level))
            room.put("\",\"message\":")
            quote(message)
        } else {
            // `2026-11-21T12:00:00.123Z info served status=200 …`.
            room.put(time)
            room.put(UInt8(ascii: " "))
            room.put(Self.name(of: level))
            room.put(UInt8(ascii: " "))
            if !room.put(plain: message.utf8.span, orSpaces: true) { escape(message) }
        }
    }

    private mutating func end() {
        if isJSON { room.put(UInt8(ascii: "}")) }
        room.put(UInt8(ascii: "\n"))
    }

    private mutating func begin(_ name: StaticString) {
        room.put(nameOfMember: name, isJSON: isJSON)
    }

    private mutating func begin(_ name: String) {
        room.put(isJSON ? "," : " ")
        if isJSON { quote(name) } else { room.put(name) }
        room.put(isJSON ? ":" : "=")
    }

    /// Writes a value; in the text format, without quotes if it is plain.
    private mutating func put(_ value: String) {
        if isJSON || value.isEmpty || !room.put(plain: value.utf8.span) { quote(value) }
    }

    /// Quotes a text, so that readers can tell where it ends.
    private mutating func quote(_ text: String) {
        room.put(UInt8(ascii: "\""))
        if !room.put(plain: text.utf8.span, orSpaces: true) { escape(text) }
        room.put(UInt8(ascii: "\""))
    }

    private mutating func escape(_ text: String) {
        for scalar in text.unicodeScalars {
            switch (scalar, isJSON) {
            case ("\"", false): room.put(UInt8(ascii: "'"))
            case ("\\", false): room.put(UInt8(ascii: "\\"))
            // Messages of a database may have several lines.
            case ("\n", false), ("\r", false), ("\t", false): room.put(UInt8(ascii: " "))
            case ("\"", true): room.put("\\\"")
            case ("\\", true): room.put("\\\\")
            case ("\n", true): room.put("\\n")
            case ("\r", true): room.put("\\r")
            case ("\t", true): room.put("\\t")
            default:
                if Self.isHarmful(scalar) { escape(scalar) } else { room.put(String(scalar)) }
            }
        }
    }

    /// Whether it is a control character, invisible (such as a change of direction), or a line ending.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
        default: false
        }
    }

    /// Writes an escape: `\u{9b}` for people, and JSON's for programs.
    private mutating func escape(_ scalar: Unicode.Scalar) {
        guard isJSON else { return room.put("\\u{\(String(scalar.value, radix: 16))}") }
        for unit in UTF16.encode(scalar) ?? UTF16.EncodedScalar() { room.put("\\u" + unit.hexText) }
    }

    private static func name(of level: LogLevel) -> StaticString {
        switch level {
        case .trace: "trace"
        case .debug: "debug"
        case .info: "info"
        case .notice: "notice"
        case .warning: "warning"
        case .error: "error"
        case .critical: "critical"
        }
    }
}

import ByteText
import Scalars
import Tables

/// One line of the log as it is written, member by member, straight into the memory that it is kept in.
///
/// It may contain whatever a client sent: nothing ends the line, controls a terminal or reverses the direction of the
/// text.
struct LogLine: ~Copyable {
    /// What nearly every line fits in; a longer one is made twice.
    private static let usualSize = 512

    private var room: LineBuffer
    private let isJSON: Bool
    /// The members as values; nil if they are written.
    private var values: [String: String]?

    /// Makes a line with its line break.
    /// - Parameter add: adds the members, and is called again if the line is a long one.
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

    /// The members that a line would have.
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
    /// - Parameter name: of the program's own words.
    mutating func add(_ name: StaticString, _ value: String) {
        guard values == nil else { return keep(name, value) }
        begin(name)
        put(value)
    }

    /// Adds a member whose value is one of the program's own words.
    mutating func add(_ name: StaticString, word: String) {
        guard values == nil else { return keep(name, word) }
        begin(name)
        if isJSON { room.put(UInt8(ascii: "\"")) }
        room.put(word)
        if isJSON { room.put(UInt8(ascii: "\"")) }
    }

    /// The same for a name that is known only now.
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

    /// The same for a name that is known only now.
    mutating func add(named name: String, number: Int64) {
        guard values == nil else { return keep(name, number) }
        begin(name)
        room.put(number)
    }

    /// Adds a member of bytes that can appear unchanged in a line.
    /// - Returns: false if they can't, or there are none: nothing is added then.
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

    // Out of the way of those that write a line: nearly every one is only written.
    @inline(never)
    private mutating func keep(_ name: some CustomStringConvertible, _ value: some CustomStringConvertible) {
        values?[name.description] = value.description
    }

    /// Begins a line with what every line has.
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

    /// Writes a value; in text, without quotes if it is plain.
    private mutating func put(_ value: String) {
        if isJSON || value.isEmpty || !room.put(plain: value.utf8.span) { quote(value) }
    }

    /// Quotes a text, so that a reader can tell where it ends.
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
            // Words of a database come in several lines.
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

    /// Control characters of both kinds, invisible ones (such as changes of direction), and line endings.
    private static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse: true
        default: false
        }
    }

    /// `\u{9b}` for people, and what JSON has for it for programs.
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

/// Header fields in their order, kept as the bytes of their lines and an index: no string until one is asked for.
///
/// Names are compared without regard to case (RFC 9110 section 5.1). Repeated fields stay apart.
public struct HTTPFields: Sendable {
    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    private struct Line {
        var name: Range<Int>
        var value: Range<Int>
    }

    /// No fields.
    public init() {}

    /// How many field lines there are, repeated names included.
    public var count: Int { lines.count }

    /// Makes room, where about how much will come is known.
    /// - Parameter size: bytes of all names and values.
    public mutating func reserve(fields: Int, bytes size: Int) {
        lines.reserveCapacity(fields)
        bytes.reserveCapacity(size)
    }

    /// Appends a field whose value the server made itself.
    public mutating func append(_ name: StaticString, _ value: String) {
        appendName(name)
        bytes.append(contentsOf: value.utf8)
        closeValue()
    }

    /// Appends a field whose value is built in place, without an intermediate string.
    public mutating func append(_ name: StaticString, building value: (inout [UInt8]) -> Void) {
        appendName(name)
        value(&bytes)
        closeValue()
    }

    /// Appends a field whose name is known only now.
    public mutating func append(named name: HTTPFieldName, _ value: String) {
        open(name.text.utf8)
        bytes.append(contentsOf: value.utf8)
        closeValue()
    }

    /// Appends a field as it came from the wire, white space around the value already cut off.
    public mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let nameStart = bytes.count
        unsafe name.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        appendColon()
        let valueStart = bytes.count
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        lines.append(Line(name: nameStart..<(nameStart + name.count), value: valueStart..<bytes.count))
        appendLineEnd()
    }

    /// Removes all fields of that name.
    public mutating func removeAll(_ name: StaticString) {
        guard contains(name) else { return }
        var kept = HTTPFields()
        for line in lines where !matches(line, name) {
            kept.append(name: bytes.span.extracting(line.name), value: bytes.span.extracting(line.value))
        }
        self = kept
    }

    /// The value of the first field of that name.
    public subscript(_ name: StaticString) -> String? {
        for line in lines where matches(line, name) {
            return String(decoding: bytes[line.value], as: UTF8.self)
        }
        return nil
    }

    /// The values of all fields of that name, in order.
    public func values(_ name: StaticString) -> [String] {
        lines.filter { matches($0, name) }.map { String(decoding: bytes[$0.value], as: UTF8.self) }
    }

    /// Whether there is a field of that name, be it empty.
    public func contains(_ name: StaticString) -> Bool {
        lines.contains { matches($0, name) }
    }

    /// All fields in their order.
    public var all: [(name: String, value: String)] {
        lines.map {
            (String(decoding: bytes[$0.name], as: UTF8.self), String(decoding: bytes[$0.value], as: UTF8.self))
        }
    }

    /// Writes the fields as header lines, each ended by CR LF.
    public func encode(into output: inout [UInt8]) {
        output.append(contentsOf: bytes)
    }

    private mutating func appendName(_ name: StaticString) {
        name.withUTF8Buffer { unsafe open($0) }
    }

    /// Begins a line whose value follows.
    private mutating func open(_ name: some Collection<UInt8>) {
        // Growing from nothing costs more than all the rest.
        if lines.isEmpty { reserve(fields: 8, bytes: 256) }
        let start = bytes.count
        bytes.append(contentsOf: name)
        let end = bytes.count
        appendColon()
        lines.append(Line(name: start..<end, value: bytes.count..<bytes.count))
    }

    /// Ends the value of the last line. A control character would split the head, so it becomes a blank.
    private mutating func closeValue() {
        let start = lines[lines.count - 1].value.lowerBound
        for index in start..<bytes.count where bytes[index] < 32 || bytes[index] == 127 {
            bytes[index] = 32
        }
        lines[lines.count - 1].value = start..<bytes.count
        appendLineEnd()
    }

    private mutating func appendColon() {
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
    }

    private mutating func appendLineEnd() {
        bytes.append(13)
        bytes.append(10)
    }

    private func matches(_ line: Line, _ name: StaticString) -> Bool {
        guard line.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            for offset in 0..<line.name.count {
                let character = unsafe wanted[offset]
                if Self.lower(bytes[line.name.lowerBound + offset]) != Self.lower(character) { return false }
            }
            return true
        }
    }

    private static func lower(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 32 : byte
    }
}

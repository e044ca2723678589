/// Header fields in order, stored as the bytes of their lines with an index; strings are created on request.
///
/// Names are case-insensitive (RFC 9110 section 5.1). Repeated fields stay separate.
public struct HTTPFields: Sendable {
    private var bytes: [UInt8] = []
    private var lines: [Line] = []

    private struct Line {
        private let start: UInt32
        private let nameEnd: UInt32
        private let end: UInt32

        init(name: Range<Int>, end: Int) {
            start = UInt32(name.lowerBound)
            nameEnd = UInt32(name.upperBound)
            self.end = UInt32(end)
        }

        var name: Range<Int> { Int(start)..<Int(nameEnd) }
        /// The value begins after the colon and a blank.
        var value: Range<Int> { Int(nameEnd) + 2..<Int(end) }
    }

    /// Creates an empty list of fields.
    public init() {}

    /// The number of field lines, including repeated names.
    public var count: Int { lines.count }

    /// Reserves capacity if the approximate size is known.
    /// - Parameter size: the total bytes of names and values.
    public mutating func reserve(fields: Int, bytes size: Int) {
        lines.reserveCapacity(fields)
        bytes.reserveCapacity(size)
    }

    /// Appends a field whose value comes from the server itself.
    public mutating func append(_ name: StaticString, _ value: String) {
        append(name) { $0.append(contentsOf: value.utf8) }
    }

    /// Appends a field whose value is built in place, without an intermediate string.
    public mutating func append(_ name: StaticString, building value: (inout [UInt8]) -> Void) {
        let name = name.withUTF8Buffer { unsafe open($0) }
        value(&bytes)
        close(name)
    }

    /// Appends a field whose name is only known at run time.
    public mutating func append(named name: HTTPFieldName, _ value: String) {
        let name = open(name.text.utf8)
        bytes.append(contentsOf: value.utf8)
        close(name)
    }

    /// Appends existing fields.
    public mutating func append(contentsOf others: HTTPFields) {
        let start = bytes.count
        bytes.append(contentsOf: others.bytes)
        for line in others.lines {
            lines.append(
                Line(
                    name: start + line.name.lowerBound..<start + line.name.upperBound,
                    end: start + line.value.upperBound))
        }
    }

    /// Appends a field as received, with the white space around its value already removed.
    public mutating func append(name: Span<UInt8>, value: Span<UInt8>) {
        let name = unsafe name.withUnsafeBufferPointer { unsafe open($0) }
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        end(name)
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

    /// Returns whether there is a field of that name, even if empty.
    public func contains(_ name: StaticString) -> Bool {
        lines.contains { matches($0, name) }
    }

    /// All fields in order.
    public var all: [(name: String, value: String)] {
        lines.map {
            (String(decoding: bytes[$0.name], as: UTF8.self), String(decoding: bytes[$0.value], as: UTF8.self))
        }
    }

    /// Appends the fields as header lines, each ended by CR LF.
    public func encode(into output: inout [UInt8]) {
        output.append(contentsOf: bytes)
    }

    /// Starts a line, to be followed by its value.
    /// - Returns: the position of the name.
    private mutating func open(_ name: some Collection<UInt8>) -> Range<Int> {
        // Growing from nothing would cost more than everything else.
        if lines.isEmpty, lines.capacity == 0 { reserve(fields: 12, bytes: 384) }
        let start = bytes.count
        bytes.append(contentsOf: name)
        let end = bytes.count
        bytes.append(UInt8(ascii: ":"))
        bytes.append(UInt8(ascii: " "))
        return start..<end
    }

    /// Ends the value of a line. Control characters could split the head, so they are replaced by blanks.
    private mutating func close(_ name: Range<Int>) {
        unsafe bytes.withUnsafeMutableBufferPointer { bytes in
            for index in name.upperBound + 2..<bytes.count where unsafe bytes[index] < 32 || bytes[index] == 127 {
                unsafe bytes[index] = 32
            }
        }
        end(name)
    }

    private mutating func end(_ name: Range<Int>) {
        lines.append(Line(name: name, end: bytes.count))
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

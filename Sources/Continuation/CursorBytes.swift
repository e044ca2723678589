import OData
import Tables

/// A place as bytes: a number for the form, each value, then the id.
enum CursorBytes {
    /// Goes up when the form changes, so that texts of an older server are refused and not misread.
    private static let form: UInt8 = 1

    static func bytes(of cursor: PageCursor) -> [UInt8] {
        var writer = ByteWriter()
        writer.byte(form)
        writer.count(cursor.values.count)
        for value in cursor.values { writer.value(value) }
        switch cursor.id {
        case .text(let text): writer.value(.text(text))
        case .integer(let number): writer.value(.integer(number))
        }
        return writer.bytes
    }

    /// - Returns: nil where the bytes are not those of a place.
    static func cursor(from bytes: [UInt8]) -> PageCursor? {
        var reader = ByteReader(bytes: bytes)
        guard reader.byte() == form, let count = reader.count(), count <= bytes.count else { return nil }
        var values: [Value] = []
        for _ in 0..<count {
            guard let value = reader.value() else { return nil }
            values.append(value)
        }
        guard let last = reader.value(), reader.isAtEnd else { return nil }
        switch last {
        case .text(let text): return PageCursor(values: values, id: .text(text))
        case .integer(let number): return PageCursor(values: values, id: .integer(number))
        default: return nil
        }
    }
}

/// Writes values so that they tell their own end.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func number(_ number: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) { bytes.append(UInt8(number >> shift & 255)) }
    }

    mutating func count(_ count: Int) {
        number(UInt64(count))
    }

    mutating func text(_ text: String) {
        count(text.utf8.count)
        bytes += text.utf8
    }

    mutating func value(_ value: Value) {
        switch value {
        case .null: byte(0)
        case .boolean(let flag): bytes += [1, flag ? 1 : 0]
        case .integer(let integer):
            byte(2)
            number(UInt64(bitPattern: integer))
        case .number(let double):
            byte(3)
            number(double.bitPattern)
        case .text(let text):
            byte(4)
            self.text(text)
        case .decimal(let decimal):
            byte(10)
            self.text(decimal.text)
        case .date(let instant):
            byte(5)
            number(UInt64(bitPattern: instant.milliseconds))
        }
    }
}

/// Reads what `ByteWriter` wrote. Whatever is not that is nil.
struct ByteReader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    mutating func number() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        position += 8
        return bytes[position - 8..<position].reduce(0) { $0 << 8 | UInt64($1) }
    }

    mutating func count() -> Int? {
        number().flatMap { Int(exactly: $0) }
    }

    mutating func value() -> Value? {
        switch byte() {
        case 0: .null
        case 1: byte().map { .boolean($0 != 0) }
        case 2: number().map { .integer(Int64(bitPattern: $0)) }
        case 3: number().map { .number(Double(bitPattern: $0)) }
        case 4: text().map { .text($0) }
        case 5: number().map { .date(Instant(milliseconds: Int64(bitPattern: $0))) }
        case 10: text().flatMap { DecimalNumber($0) }.map { .decimal($0) }
        default: nil
        }
    }

    private mutating func text() -> String? {
        guard let count = count(), count <= bytes.count - position else { return nil }
        position += count
        return String(validating: bytes[position - count..<position], as: UTF8.self)
    }
}

import Scalars
import Tables

/// The binary form of a place: a number for the format, each value, then the id, and in the second format a count.
enum CursorBytes {
    /// Increases when the format changes, so that no text is misread.
    private static let form: UInt8 = 1
    private static let countedForm: UInt8 = 2

    static func bytes(of cursor: PageCursor, count: Int64?) -> [UInt8] {
        var writer = PackedWriter()
        writer.byte(count == nil ? form : countedForm)
        writer.count(cursor.values.count)
        for value in cursor.values { writer.value(value) }
        switch cursor.id {
        case .text(let text): writer.value(.text(text))
        case .integer(let number): writer.value(.integer(number))
        }
        if let count { writer.number(UInt64(bitPattern: count)) }
        return writer.bytes
    }

    /// - Returns: nil if the bytes don't represent a place.
    static func place(from bytes: [UInt8]) -> SealedCursor? {
        var reader = PackedReader(bytes: bytes)
        guard let form = reader.byte(), form == Self.form || form == countedForm, let count = reader.count() else {
            return nil
        }
        var values: [Value] = []
        for _ in 0..<count {
            guard let value = reader.value() else { return nil }
            values.append(value)
        }
        let id: RowID
        switch reader.value() {
        case .text(let text): id = .text(text)
        case .integer(let number): id = .integer(number)
        default: return nil
        }
        var totalCount: Int64?
        if form == countedForm {
            guard let number = reader.number() else { return nil }
            totalCount = Int64(bitPattern: number)
        }
        return reader.isAtEnd ? SealedCursor(cursor: PageCursor(values: values, id: id), count: totalCount) : nil
    }
}

extension PackedWriter {
    mutating func value(_ value: Value) {
        switch value {
        case .null: byte(0)
        case .boolean(let flag):
            byte(1)
            byte(flag ? 1 : 0)
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
            text(decimal.text)
        case .date(let instant):
            byte(5)
            number(UInt64(bitPattern: instant.milliseconds))
        }
    }
}

extension PackedReader {
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
}

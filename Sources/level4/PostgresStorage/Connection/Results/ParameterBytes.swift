import Platform
import Tables

/// The values of a statement in PostgreSQL's binary format, one after another.
struct ParameterBytes {
    private(set) var bytes: [UInt8] = []
    /// The start and the length of each value; nil for null.
    private(set) var places: [(start: Int, count: Int)?] = []

    init(_ values: [Value]) {
        places.reserveCapacity(values.count)
        for value in values { append(value) }
        // So that even an empty text has an address.
        bytes.append(0)
    }

    private mutating func append(_ value: Value) {
        let start = bytes.count
        switch value {
        case .null:
            places.append(nil)
            return
        case .boolean(let flag): bytes.append(flag ? 1 : 0)
        case .integer(let whole): append(UInt64(bitPattern: whole))
        case .number(let number): append(number.bitPattern)
        case .decimal(let decimal): NumericCell.append(decimal, to: &bytes)
        case .text(let text): StoredText.append(text, to: &bytes)
        case .date(let instant): append(UInt64(bitPattern: StoredDate.microseconds(of: instant)))
        }
        places.append((start, bytes.count - start))
    }

    private mutating func append(_ bits: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: bits >> shift))
        }
    }
}

/// Text in a form that PostgreSQL can store: NUL is written as U+0001 U+0001, and U+0001 as U+0001 U+0002.
///
/// Texts keep their order and remain distinct; texts without these characters are unchanged.
enum StoredText {
    static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { utf8 in
            guard unsafe utf8.contains(where: { $0 < 2 }) else {
                unsafe bytes.append(contentsOf: utf8)
                return
            }
            for index in utf8.indices {
                let byte = unsafe utf8[index]
                if byte < 2 { bytes.append(1) }
                bytes.append(byte < 2 ? byte + 1 : byte)
            }
        }
    }

    /// Whether text is stored unchanged.
    @unsafe static func isOriginal(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let start = bytes.baseAddress else { return true }
        return unsafe memchr(start, 1, bytes.count) == nil
    }

    /// Returns the original text; nil if it is stored unchanged.
    static func original(_ bytes: Span<UInt8>) -> [UInt8]? {
        var first = 0
        while first < bytes.count, bytes[first] != 1 { first += 1 }
        guard first < bytes.count else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 1, index + 1 < bytes.count, bytes[index + 1] == 1 || bytes[index + 1] == 2 {
                result.append(bytes[index + 1] - 1)
                index += 2
            } else {
                result.append(byte)
                index += 1
            }
        }
        return result
    }
}

extension ParameterBytes {
    /// Lends the arrays that libpq expects: count, addresses, lengths and formats.
    func withPointers<Result>(
        _ body: (Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?) -> Result
    ) -> Result {
        guard !places.isEmpty else { return body(0, nil, nil, nil) }
        let lengths = places.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: places.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            // The bytes end with a NUL, so there is an address.
            let start = unsafe buffer.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped
            var values: [UnsafePointer<CChar>?] = unsafe []
            for place in places {
                if let place { unsafe values.append(unsafe start + place.start) } else { unsafe values.append(nil) }
            }
            return unsafe body(Int32(places.count), values, lengths, formats)
        }
    }
}

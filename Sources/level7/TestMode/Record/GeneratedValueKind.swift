import Scalars

/// The kind of a generated value, by its shape: the values of two servers differ, but not their kinds.
enum GeneratedValueKind: Equatable {
    case uuid, version
    /// With that many digits after the decimal point.
    case date(digits: Int)
    case token, text

    init(_ text: String) {
        let bytes = Array(text.utf8)
        if bytes.count == 36, ValueShape.uuid.hasHyphens(bytes) {
            self = .uuid
        } else if ValueShape.version.isShape(of: text) {
            self = .version
        } else if bytes.first.map({ (48...57).contains($0) }) == true, Instant(text) != nil {
            let fraction = text.utf8.drop { $0 != UInt8(ascii: ".") }.dropFirst()
            self = .date(digits: fraction.prefix { (48...57).contains($0) }.count)
        } else if text.split(separator: ".").count == 3, !text.contains(" ") {
            self = .token
        } else {
            self = .text
        }
    }

    var words: String {
        switch self {
        case .uuid: "a UUID"
        case .version: "eight bytes in Base64"
        case .date(let digits): "a time with \(digits) digits"
        case .token: "a token"
        case .text: "a text"
        }
    }
}

extension ValueShape {
    /// Whether the bytes form a UUID of any version, with digits in either case.
    fileprivate func hasHyphens(_ bytes: [UInt8]) -> Bool {
        bytes.enumerated().allSatisfy { index, byte in
            switch index {
            case 8, 13, 18, 23: byte == UInt8(ascii: "-")
            default: (48...57).contains(byte) || (97...102).contains(byte | 32)
            }
        }
    }
}

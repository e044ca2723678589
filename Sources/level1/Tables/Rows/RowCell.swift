public import Scalars

/// A cell of a row that a store hands over: a few machine words, and nothing that is counted.
///
/// The bytes that it points to are only valid during the call.
@safe public struct RowCell {
    /// The type of a cell's content. A date is text in the wire form, or an instant that is yet to be converted to it.
    public enum Kind: UInt8, Sendable {
        case null, boolean, integer, number, decimal, text, version, instant
    }

    /// The type of its content.
    public let kind: Kind
    /// A whole number, a version's counter, an instant's milliseconds, a double's bits, or 1 for true.
    public let bits: UInt64
    @usableFromInline let start: UnsafePointer<UInt8>?
    @usableFromInline let count: Int
    /// Whether text is known to be ASCII without a control character, a quote or a backslash: no format escapes it.
    public let isPlain: Bool

    /// Creates a cell without bytes.
    @inlinable public init(_ kind: Kind, _ bits: UInt64) {
        self.kind = kind
        self.bits = bits
        unsafe start = nil
        count = 0
        isPlain = false
    }

    /// A null.
    @inlinable public static var null: RowCell { RowCell(.null, 0) }
    /// A boolean.
    @inlinable public static func boolean(_ value: Bool) -> RowCell { RowCell(.boolean, value ? 1 : 0) }
    /// A whole number.
    @inlinable public static func integer(_ value: Int64) -> RowCell { RowCell(.integer, UInt64(bitPattern: value)) }
    /// A finite number.
    @inlinable public static func number(_ value: Double) -> RowCell { RowCell(.number, value.bitPattern) }
    /// A version, by its counter.
    @inlinable public static func version(_ counter: Int64) -> RowCell {
        RowCell(.version, UInt64(bitPattern: counter))
    }
    /// An instant, which is text in the wire form.
    @inlinable public static func instant(_ value: Instant) -> RowCell {
        RowCell(.instant, UInt64(bitPattern: value.milliseconds))
    }

    /// A decimal's digits or UTF-8 text, which stay in place during the call.
    @inlinable public init(unsafe kind: Kind, _ bytes: UnsafeBufferPointer<UInt8>, isPlain: Bool = false) {
        self.kind = kind
        bits = 0
        unsafe start = bytes.baseAddress
        count = bytes.count
        self.isPlain = isPlain
    }

    /// Text that stays in place during the call, examined eight bytes at a time.
    /// - Returns: nil if it is not UTF-8.
    public init?(unsafe text: UnsafeBufferPointer<UInt8>) {
        let marks = unsafe TextScan(of: text)
        guard unsafe marks.isASCII || (try? UTF8Span(validating: text.span)) != nil else { return nil }
        unsafe self.init(unsafe: .text, text, isPlain: marks.isPlain)
    }

    /// Whether a boolean is true.
    @inlinable public var isTrue: Bool { bits != 0 }
    /// The whole number, a version's counter, or an instant's milliseconds.
    @inlinable public var whole: Int64 { Int64(bitPattern: bits) }
    /// The number.
    @inlinable public var number: Double { Double(bitPattern: bits) }
    /// The bytes of a decimal or of text.
    @unsafe @inlinable public var bytes: UnsafeBufferPointer<UInt8> {
        unsafe UnsafeBufferPointer(start: start, count: count)
    }

    /// Passes on the wire form of a decimal, a text, a version or an instant; no bytes for other types.
    public func withText<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
        switch kind {
        case .version:
            let wire = Version(counter: whole).wireBytes
            return body(wire.span)
        case .instant:
            let wire = Instant(milliseconds: whole).wireBytes
            return body(wire.span)
        case .null, .boolean, .integer, .number, .decimal, .text: return unsafe body(bytes.span)
        }
    }

    /// The wire form as a string.
    public var text: String {
        withText { text in unsafe text.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) } }
    }
}

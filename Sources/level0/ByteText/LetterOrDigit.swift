extension UInt8 {
    /// Whether it is an ASCII letter or digit.
    @inlinable public var isLetterOrDigit: Bool {
        switch self {
        case 48...57, 65...90, 97...122: true
        default: false
        }
    }
}

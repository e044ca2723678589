extension String {
    /// The text of bytes that are UTF-8, checked with what the compiler knows about bytes: the standard library's own
    /// check finds out at run time what kind of sequence they are.
    /// - Returns: nil if they are not UTF-8.
    public init?(strictly bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }
}

extension Span<UInt8> {
    /// The bytes as an array.
    public var array: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        unsafe withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        return bytes
    }
}

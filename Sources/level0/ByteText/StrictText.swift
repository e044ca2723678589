extension String {
    /// Decodes UTF-8, validated by code that is compiled for bytes: the standard library's own check determines the
    /// kind of sequence at run time.
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

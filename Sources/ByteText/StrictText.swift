extension String {
    /// The text of bytes that are UTF-8, by way of what the compiler knows of bytes alone: the standard library's own check
    /// asks at run time what kind of a sequence they are.
    /// - Returns: nil where they are not UTF-8.
    public init?(strictly bytes: Span<UInt8>) {
        guard let text = try? UTF8Span(validating: bytes) else { return nil }
        self.init(copying: text)
    }
}

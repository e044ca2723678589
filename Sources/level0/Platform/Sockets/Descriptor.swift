/// An open file descriptor, closed at the end of its lifetime.
public struct Descriptor: ~Copyable, Sendable {
    /// The descriptor's number; negative for none.
    public let number: Int32

    /// Takes over an open descriptor, or none.
    public init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if number >= 0 { close(number) }
    }
}

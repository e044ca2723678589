/// An open file descriptor, closed when its owner goes.
public struct Descriptor: ~Copyable, Sendable {
    /// The system's number for it; negative for none.
    public let number: Int32

    /// Takes over an open descriptor, or none.
    public init(_ number: Int32) {
        self.number = number
    }

    deinit {
        if number >= 0 { close(number) }
    }
}

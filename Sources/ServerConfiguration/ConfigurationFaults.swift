/// Everything that is wrong with the configuration, in the order in which it was found.
public struct ConfigurationFaults: Error, Sendable, Equatable {
    /// At least one.
    public let all: [ConfigurationFault]

    /// Makes the error of its faults.
    public init(_ all: [ConfigurationFault]) {
        self.all = all
    }
}

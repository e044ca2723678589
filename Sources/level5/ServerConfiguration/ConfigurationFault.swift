/// A single mistake in the configuration: where it is, in which key, and what to do about it.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where the mistake is.
    public let origin: Origin
    /// The key with dots, as the documentation spells it; nil if a file as a whole is at fault.
    public let key: String?
    /// What is wrong and what to do, for the operator.
    public let sentence: String

    /// Creates a fault.
    public init(_ origin: Origin, key: String?, _ sentence: String) {
        self.origin = origin
        self.key = key
        self.sentence = sentence
    }

    /// `config/zumod.yaml:3: port: has to be …`.
    public var description: String {
        [origin.description, key, sentence].compactMap(\.self).joined(separator: ": ")
    }
}

extension ConfigurationFault {
    /// Returns a fault of a file as a whole.
    static func file(_ path: String, key: String? = nil, _ sentence: String) -> ConfigurationFault {
        ConfigurationFault(.file(path, line: 0), key: key, sentence)
    }
}

extension [ConfigurationFault] {
    /// Returns what prevents something from being read; empty if it can be read.
    static func of(_ reading: @autoclosure () throws(ConfigurationFault) -> Void) -> [ConfigurationFault] {
        do throws(ConfigurationFault) {
            try reading()
            return []
        } catch {
            return [error]
        }
    }
}

/// All mistakes in the configuration, in the order in which they were found.
public struct ConfigurationFaults: Error, Sendable, Equatable {
    /// The mistakes, at least one.
    public let all: [ConfigurationFault]

    /// Creates the error.
    public init(_ all: [ConfigurationFault]) {
        self.all = all
    }
}

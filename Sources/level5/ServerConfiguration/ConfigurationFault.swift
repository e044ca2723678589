/// One thing that is wrong with the configuration: where, which key, and what to do about it.
public struct ConfigurationFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where it is written.
    public let origin: Origin
    /// The key with dots, as the documentation spells it; nil if a file as a whole is at fault.
    public let key: String?
    /// What is wrong and what to do, for the operator.
    public let sentence: String

    /// Makes a fault.
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
    /// What is wrong with a file as a whole.
    static func file(_ path: String, key: String? = nil, _ sentence: String) -> ConfigurationFault {
        ConfigurationFault(.file(path, line: 0), key: key, sentence)
    }
}

extension [ConfigurationFault] {
    /// What keeps something from being read; none where it is read.
    static func of(_ reading: @autoclosure () throws(ConfigurationFault) -> Void) -> [ConfigurationFault] {
        do throws(ConfigurationFault) {
            try reading()
            return []
        } catch {
            return [error]
        }
    }
}

/// Everything that is wrong with the configuration, in the order in which it was found.
public struct ConfigurationFaults: Error, Sendable, Equatable {
    /// At least one.
    public let all: [ConfigurationFault]

    /// Makes the error of its faults.
    public init(_ all: [ConfigurationFault]) {
        self.all = all
    }
}

/// A parameter's value: a text, a number, one of several words, an optional one of these, or a list.
package protocol ParameterValue: Sendable {
    /// Parses a word; nil if it isn't a valid value.
    init?(word: String)
    /// Adds the value of a further word: it replaces the existing one, unless this is a list.
    mutating func take(_ further: Self)
    /// How often it may be given. If only once, the last one counts.
    static var count: ParameterCount { get }
    /// The allowed words; empty if any word is allowed.
    static var choices: [String] { get }
    /// The word for this value, shown as the default in help; nil if there is none, so that the parameter is required.
    var word: String? { get }
}

package enum ParameterCount: Sendable {
    case once, onceOrNot, often
}

extension ParameterValue {
    package mutating func take(_ further: Self) { self = further }
    package static var count: ParameterCount { .once }
    package static var choices: [String] { [] }
    package var word: String? { nil }
}

extension ParameterValue where Self: RawRepresentable<String> & CaseIterable {
    package init?(word: String) { self.init(rawValue: word) }
    package static var choices: [String] { allCases.map(\.rawValue) }
    package var word: String? { rawValue }
}

extension String: ParameterValue {
    package init?(word: String) { self = word }
    package var word: String? { isEmpty ? nil : self }
}

extension Int: ParameterValue {
    package init?(word: String) { self.init(word) }
    package var word: String? { String(self) }
}

extension Optional: ParameterValue where Wrapped: ParameterValue {
    package init?(word: String) {
        guard let value = Wrapped(word: word) else { return nil }
        self = value
    }

    package static var count: ParameterCount { .onceOrNot }
    package static var choices: [String] { Wrapped.choices }
}

extension Array: ParameterValue where Element: ParameterValue {
    package init?(word: String) {
        guard let value = Element(word: word) else { return nil }
        self = [value]
    }

    package mutating func take(_ further: Self) { self += further }
    package static var count: ParameterCount { .often }
    package static var choices: [String] { Element.choices }
}

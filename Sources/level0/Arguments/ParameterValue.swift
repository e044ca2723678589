/// What the words of a parameter become: a text, a number, one of several words, any of these or nothing, or a list.
package protocol ParameterValue: Sendable {
    /// The value of one word; nil if the word is no such value.
    init?(word: String)
    /// Takes the value of a further word: it replaces the existing one, unless this is a list.
    mutating func take(_ further: Self)
    /// How often it is given. Where that is once, the last of several counts.
    static var count: ParameterCount { get }
    /// The allowed words; none if any word is allowed.
    static var choices: [String] { get }
    /// The word for this value, as the default in the help; nil if there is none, so that it is required.
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

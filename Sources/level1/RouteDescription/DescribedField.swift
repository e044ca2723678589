/// A header field of answers.
public struct DescribedField: Sendable {
    /// The name.
    public let name: String
    /// A description.
    public let meaning: String
    /// Whether every such answer has it.
    public var isCertain = false

    /// Creates a description of a field.
    public init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    /// The same field, present in every such answer.
    public var certain: DescribedField {
        var field = self
        field.isCertain = true
        return field
    }
}

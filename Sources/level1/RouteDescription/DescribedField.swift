/// A header field of answers.
public struct DescribedField: Sendable {
    /// The name.
    public let name: String
    /// What it says.
    public let meaning: String
    /// Whether every such answer has it.
    public var isCertain = false

    /// Describes a field.
    public init(_ name: String, _ meaning: String) {
        self.name = name
        self.meaning = meaning
    }

    /// The same field of answers that all have it.
    public var certain: DescribedField {
        var field = self
        field.isCertain = true
        return field
    }
}

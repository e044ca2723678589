public import Tables

/// A column that no row may leave empty.
public struct RequiredColumn: Sendable, Equatable {
    /// The column.
    public let name: Identifier
    /// The message for a client that leaves it empty, word for word.
    public let message: String

    /// Creates the rule.
    public init(_ name: Identifier, message: String) {
        self.name = name
        self.message = message
    }

    /// - Parameter isWhole: whether the properties are all that the row will have, as in an insert. A change may leave
    ///   columns out.
    func allows(_ properties: [Property], isWhole: Bool) -> Bool {
        // If a column occurs twice, the last property counts.
        guard let property = properties.last(where: { Identifier($0.name) == name }) else { return !isWhole }
        return property.value != .null && property.value != .text("")
    }
}

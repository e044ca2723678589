public import Tables

/// SQL text with the values for its placeholders, in the order of their numbers.
public struct SQLText: Sendable, Equatable {
    /// The statement, with a placeholder for each value.
    public let text: String
    /// The values, beginning with that of placeholder 1.
    public let bindings: [Value]

    /// Creates SQL text with its values.
    public init(_ text: String, _ bindings: [Value] = []) {
        self.text = text
        self.bindings = bindings
    }
}

extension SQLText {
    /// Creates the text of a fragment.
    package init(_ fragment: SQLFragment, _ dialect: any SQLDialect) {
        var builder = SQLBuilder(dialect)
        builder.append(fragment)
        self = builder.build()
    }
}

/// Builds one statement. Values only ever become bindings, and names are only ever added by `identifier`.
package struct SQLBuilder {
    package var dialect: any SQLDialect
    package private(set) var text = ""
    package private(set) var bindings: [Value] = []
    private let writesText: Bool

    /// - Parameter writesText: false if only the bindings are needed.
    package init(_ dialect: any SQLDialect, writesText: Bool = true) {
        self.dialect = dialect
        self.writesText = writesText
        // Most statements bind fewer, and growing step by step would take longer than everything else.
        bindings.reserveCapacity(16)
    }

    /// Appends SQL written in this target.
    package mutating func append(_ sql: String) {
        if writesText { text += sql }
    }

    /// Appends a quoted name: the only place where a name becomes SQL.
    package mutating func identifier(_ name: String) {
        guard writesText else { return }
        text += "\""
        let name = dialect.physicalName(name)
        // Names hardly ever contain a quote, and replacing takes longer than the rest of a short statement.
        text += name.utf8.contains(UInt8(ascii: "\"")) ? name.replacing("\"", with: "\"\"") : name
        text += "\""
    }

    mutating func field(_ field: Field) {
        identifier(field.name)
    }

    /// Appends a list of quoted columns, separated by commas.
    mutating func fields(_ fields: [Field]) {
        guard writesText else { return }
        for (index, field) in fields.enumerated() {
            if index > 0 { text += ", " }
            self.field(field)
        }
    }

    /// Appends a placeholder and binds a value to it.
    package mutating func bind(_ value: Value) {
        bindings.append(value)
        if writesText { text += dialect.placeholder(bindings.count, for: value) }
    }

    /// Appends a placeholder for a value of a column, as the column has it in the database.
    mutating func bind(_ value: Value, to field: Field) {
        bind(value)
        if writesText, let form = field.form { append("::\(form.rawValue)") }
    }

    package func build() -> SQLText {
        SQLText(text, bindings)
    }
}

/// A parameter of a command: its name, its help, and where in the command's values its words are stored.
package struct Parameter<Values>: Sendable {
    /// Returns its description, given these defaults.
    let form: @Sendable (Values) -> ParameterForm
    /// Stores a word; false if it is not a valid value.
    let take: @Sendable (inout Values, String) -> Bool

    /// Returns an option, `--name <value>`.
    /// - Parameters:
    ///   - name: without its dashes.
    ///   - value: the placeholder for its value in help.
    package static func option<Value: ParameterValue>(
        _ name: String, _ value: String, _ help: String, of kind: WordKind = .text,
        to path: any WritableKeyPath<Values, Value> & Sendable
    ) -> Self {
        Self(ParameterForm(name: "--\(name)", value: value, help: help, kind: kind), path)
    }

    /// Returns a positional argument. Arguments are assigned in order.
    package static func argument<Value: ParameterValue>(
        _ value: String, _ help: String, of kind: WordKind = .text,
        to path: any WritableKeyPath<Values, Value> & Sendable
    ) -> Self {
        Self(ParameterForm(value: value, help: help, kind: kind), path)
    }

    /// Returns a flag, `--name`, which sets a value to true.
    package static func flag(
        _ name: String, _ help: String, to path: any WritableKeyPath<Values, Bool> & Sendable
    ) -> Self {
        let form = ParameterForm(name: "--\(name)", help: help)
        return Self(form: { _ in form }) { values, _ in
            values[keyPath: path] = true
            return true
        }
    }
}

extension Parameter {
    private init<Value: ParameterValue>(
        _ form: ParameterForm, _ path: any WritableKeyPath<Values, Value> & Sendable
    ) {
        self.init { values in
            var form = form
            form.count = Value.count
            form.choices = Value.choices
            form.standing = values[keyPath: path].word
            return form
        } take: { values, word in
            guard let value = Value(word: word) else { return false }
            values[keyPath: path].take(value)
            return true
        }
    }
}

extension Array {
    /// Returns the same parameters for a command whose values contain theirs.
    package func within<Values, Whole>(
        _ path: any WritableKeyPath<Whole, Values> & Sendable
    ) -> [Parameter<Whole>] where Element == Parameter<Values> {
        map { parameter in
            Parameter {
                parameter.form($0[keyPath: path])
            } take: {
                parameter.take(&$0[keyPath: path], $1)
            }
        }
    }
}

/// A parameter of a command: what it is called, what its help says, and where in the command's values its words go.
package struct Parameter<Values>: Sendable {
    /// Its description, given these defaults.
    let form: @Sendable (Values) -> ParameterForm
    /// Takes a word; false if it is not a valid value.
    let take: @Sendable (inout Values, String) -> Bool

    /// `--name <value>`.
    /// - Parameters:
    ///   - name: without its dashes.
    ///   - value: what readers know its value by.
    package static func option<Value: ParameterValue>(
        _ name: String, _ value: String, _ help: String, of kind: WordKind = .text,
        to path: any WritableKeyPath<Values, Value> & Sendable
    ) -> Self {
        Self(ParameterForm(name: "--\(name)", value: value, help: help, kind: kind), path)
    }

    /// A word without a name before it. Which of several it is follows from their order.
    package static func argument<Value: ParameterValue>(
        _ value: String, _ help: String, of kind: WordKind = .text,
        to path: any WritableKeyPath<Values, Value> & Sendable
    ) -> Self {
        Self(ParameterForm(value: value, help: help, kind: kind), path)
    }

    /// `--name`, which makes a false value true.
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
    /// The same parameters, of a command that has their values as a part of its own.
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

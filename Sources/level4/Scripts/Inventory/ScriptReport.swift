import JSONText

/// Details of a project for an operator who moves it, in addition to its mistakes.
public struct ScriptReport: Sendable {
    /// A position in a project.
    public struct Place: Sendable {
        /// The path within the project, or the name of a package; empty if it isn't known.
        public let file: String
        /// The line, from 1; nil if it isn't known.
        public let line: Int?

        init(_ value: JSONValue) {
            file = value["file"]?.textValue ?? ""
            line = value["line"]?.integerValue.map { Int($0) }
        }
    }

    /// A function that requests pass through.
    public struct Step: Sendable {
        /// What it belongs to, such as `the application` or `table notes, read`.
        public let stage: String
        /// The path that it applies to; empty for all paths.
        public let path: String
        /// The function's name.
        public let name: String
        /// The position of the function.
        public let place: Place
    }

    /// A verb of an API, with its access level and where that comes from.
    public struct Permission: Sendable {
        /// The API.
        public let api: String
        /// The verb, in lower case.
        public let verb: String
        /// The access level, in the words of definitions.
        public let level: String
        /// The key that sets it; nil if none does.
        public let key: String?
        /// The position of the key.
        public let place: Place
    }

    /// A text in a script.
    public struct Text: Sendable {
        /// The text.
        public let text: String
        /// The position of its beginning.
        public let place: Place
        /// Whether it is put together at run time, so that it isn't completely known.
        public let isOpen: Bool
    }

    /// The functions that requests pass through, in order.
    public let chain: [Step]
    /// The access levels of APIs.
    public let permissions: [Permission]
    /// The SQL statements that are spelled out.
    public let statements: [Text]
    /// What differs from the original service, and why.
    public let differences: [Text]

    init(_ value: JSONValue) {
        chain = value.all("chain").map {
            Step(stage: $0.text("at"), path: $0.text("path"), name: $0.text("name"), place: Place($0))
        }
        permissions = value.all("apis").flatMap { api in
            api.all("verbs").map {
                Permission(
                    api: api.text("name"), verb: $0.text("verb"), level: $0.text("level"), key: $0["key"]?.textValue,
                    place: Place($0))
            }
        }
        func texts(_ name: String) -> [Text] {
            value.all(name).map {
                Text(text: $0.text("text"), place: Place($0), isOpen: $0["isOpen"]?.booleanValue ?? false)
            }
        }
        statements = texts("sql")
        differences = texts("differences")
    }
}

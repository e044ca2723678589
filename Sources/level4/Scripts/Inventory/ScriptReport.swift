import JSONText

/// What is told of a project to whoever moves it, beside what is wrong with it.
public struct ScriptReport: Sendable {
    /// Something in a file of the project.
    public struct Place: Sendable {
        /// From the project's folder, or the name of a package; empty where nobody knows.
        public let file: String
        /// Counted from 1; nil where it isn't known.
        public let line: Int?

        init(_ value: JSONValue) {
            file = value["file"]?.textValue ?? ""
            line = value["line"]?.integerValue.map { Int($0) }
        }
    }

    /// A function that requests come through.
    public struct Step: Sendable {
        /// In what it stands, such as `the application` or `table notes, read`.
        public let stage: String
        /// The path that it is for; empty for every path.
        public let path: String
        /// The function's name.
        public let name: String
        /// Where it is written.
        public let place: Place
    }

    /// A verb of an API, with its level and what says it.
    public struct Permission: Sendable {
        /// The API.
        public let api: String
        /// In lower case.
        public let verb: String
        /// In the words of definitions.
        public let level: String
        /// The key that says it; nil where nothing does.
        public let key: String?
        /// Where it says so.
        public let place: Place
    }

    /// A text in a script.
    public struct Text: Sendable {
        /// What it says.
        public let text: String
        /// Where it begins.
        public let place: Place
        /// Whether it is put together while the script runs, so that nobody knows the whole of it.
        public let isOpen: Bool
    }

    /// What requests come through, in its order.
    public let chain: [Step]
    /// Who may ask APIs for what.
    public let permissions: [Permission]
    /// The SQL that is written out.
    public let statements: [Text]
    /// What is other than it was, and why.
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

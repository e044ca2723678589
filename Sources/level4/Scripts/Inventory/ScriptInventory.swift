public import JSONText

/// What a folder's scripts serve, as the worker that read them tells it.
public struct ScriptInventory: Sendable {
    /// The tables that have a script or are defined by one.
    public let tables: [ScriptedTable]
    /// What is at `/api`.
    public let apis: [ScriptedAPI]
    /// What runs by the clock.
    public let jobs: [ScriptedJob]
    /// Whether requests have to come through the project's own application, since something stands in it.
    public let hasChain: Bool
    /// What is wrong.
    public let faults: [ScriptFault]
    /// More of it, where somebody asked; nil for a server.
    public let report: ScriptReport?

    init(_ message: JSONValue) {
        tables = message.all("tables").compactMap(ScriptedTable.init)
        apis = message.all("apis").compactMap(ScriptedAPI.init)
        jobs = message.all("jobs").compactMap(ScriptedJob.init)
        hasChain = message["hasChain"]?.booleanValue ?? false
        faults = message.all("faults").map(ScriptFault.init)
        report = message["report"].map(ScriptReport.init)
    }
}

/// Whose SDK a script was written for: it says how the server's columns are called and what its functions are handed.
public enum ScriptGeneration: String, Sendable {
    /// Mobile Services.
    case v1
    /// The Mobile Apps SDK for Node, Easy Tables too.
    case v2
}

/// A table with scripts.
public struct ScriptedTable: Sendable {
    /// Its name, as the file or the script has it.
    public let name: String
    /// The file, from the project's folder.
    public let file: String
    /// Whose SDK it was written for.
    public let generation: ScriptGeneration
    /// The operations that have a script, such as `insert`.
    public let operations: [String]
    /// Whether a row is brought back by the script of updates, since there is none for that.
    public let undeletesByUpdate: Bool
    /// Whether its file can't be read, so that every request is answered 500.
    public let isBroken: Bool
    /// Whether nothing says what it is: scripts name it, and a file of the configuration counts alone.
    public let isAssumed: Bool
    /// What the script says of the table, and in projects the JSON file of its name, in the keys of Easy Tables.
    public let definition: JSONValue
    /// Where keys of the definition are said.
    public let places: [ScriptedKey]

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.textValue else { return nil }
        self.name = name
        file = value["file"]?.textValue ?? name
        generation = value["generation"]?.textValue.flatMap(ScriptGeneration.init(rawValue:)) ?? .v2
        operations = value.texts("scripts")
        isBroken = value["broken"]?.booleanValue ?? false
        isAssumed = value["assumed"]?.booleanValue ?? false
        undeletesByUpdate = value["undeletesByUpdate"]?.booleanValue ?? false
        definition = value["definition"] ?? .object([])
        places = value.members("places").map { ScriptedKey($0.name, in: $0.value) }
    }
}

/// A key of a definition, and where a project says it.
public struct ScriptedKey: Sendable {
    /// With dots, such as `read.access`.
    public let name: String
    /// The file, from the project's folder.
    public let file: String
    /// Counted from 1; nil where it isn't known.
    public let line: Int?

    init(_ name: String, in place: JSONValue) {
        self.name = name
        file = place["file"]?.textValue ?? ""
        line = place["line"]?.integerValue.map { Int($0) }
    }
}

/// An API whose verbs are functions of a script.
public struct ScriptedAPI: Sendable {
    /// The name below `/api`.
    public let name: String
    /// The file, from the project's folder.
    public let file: String
    /// Whose SDK it was written for.
    public let generation: ScriptGeneration
    /// Each verb, in lower case, with the level that it asks of its callers.
    public let verbs: [(verb: String, access: String)]
    /// Whether its file can't be read, so that every request is answered 500.
    public let isBroken: Bool

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.textValue, case .object(let members)? = value["verbs"] else { return nil }
        self.name = name
        file = value["file"]?.textValue ?? name
        generation = value["generation"]?.textValue.flatMap(ScriptGeneration.init(rawValue:)) ?? .v2
        isBroken = value["broken"]?.booleanValue ?? false
        verbs = members.map { ($0.name.lowercased(), $0.value.textValue ?? "anonymous") }
    }
}

/// A script that runs by the clock.
public struct ScriptedJob: Sendable {
    /// Its name.
    public let name: String
    /// The file, from the project's folder.
    public let file: String
    /// When it runs, in five fields, or `atStart`; nil for never by itself.
    public let cron: String?

    /// Once, as a server begins.
    public static let atStart = "@start"

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.textValue else { return nil }
        self.name = name
        file = value["file"]?.textValue ?? name
        cron = value["cron"]?.textValue
    }
}

/// What is wrong with a script.
public struct ScriptFault: Sendable {
    /// The file, from the project's folder.
    public let file: String
    /// Counted from 1; nil where it is about the whole file.
    public let line: Int?
    /// What is wrong, for the script's author.
    public let text: String
    /// Whether the script can't be served.
    public let isFatal: Bool
    /// What isn't done here, where it is that.
    public let unsupported: UnsupportedFeature?

    init(_ value: JSONValue) {
        file = value["file"]?.textValue ?? ""
        line = value["line"]?.integerValue.map { Int($0) }
        text = value["message"]?.textValue ?? "can't be loaded"
        isFatal = value["fatal"]?.booleanValue ?? true
        unsupported = value["name"]?.textValue.flatMap(UnsupportedFeature.init(rawValue:))
    }
}

public import JSONText

/// What a folder's scripts define, as reported by the worker that read them.
public struct ScriptInventory: Sendable {
    /// The tables that have a script or are defined by one.
    public let tables: [ScriptedTable]
    /// The APIs below `/api`.
    public let apis: [ScriptedAPI]
    /// The scheduled jobs.
    public let jobs: [ScriptedJob]
    /// Whether requests have to pass through the project's own application, since it has middleware.
    public let hasChain: Bool
    /// The mistakes found.
    public let faults: [ScriptFault]
    /// Details of the project, if they were requested; nil for a server.
    public let report: ScriptReport?

    init(_ message: JSONValue) {
        tables = message.all("tables").compactMap(ScriptedTable.init)
        apis = message.all("apis").compactMap(ScriptedAPI.init)
        jobs = message.all("jobs").compactMap(ScriptedJob.init)
        hasChain = message["hasChain"]?.booleanValue ?? false
        faults = message.all("faults").map { ScriptFault($0) } + jobs.compactMap(\.fault)
        report = message["report"].map(ScriptReport.init)
    }
}

/// The SDK a script was written for, which determines the names of system columns and the arguments of functions.
public enum ScriptGeneration: String, Sendable {
    /// Mobile Services.
    case v1
    /// The Mobile Apps SDK for Node, Easy Tables too.
    case v2
}

/// A table with scripts.
public struct ScriptedTable: Sendable {
    /// The name, as the file or the script spells it.
    public let name: String
    /// The path of the file within the project; if it has several, of the first.
    public let file: String
    /// The files of operations, if they have their own.
    private let files: [(operation: String, path: String)]
    /// The SDK it was written for.
    public let generation: ScriptGeneration
    /// The operations that have a script, such as `insert`.
    public let operations: [String]
    /// Whether undeletes run the script of updates, since there is none of their own.
    public let undeletesByUpdate: Bool
    /// Whether its file can't be read, so that every request gets a 500.
    public let isBroken: Bool
    /// Whether it is only mentioned in scripts and not defined there, so that a configuration file alone defines it.
    public let isAssumed: Bool
    /// The definition in the script, and in projects in the JSON file of the table's name, in the keys of Easy Tables.
    public let definition: JSONValue
    /// The positions of the definition's keys.
    public let places: [ScriptedKey]

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.textValue else { return nil }
        self.name = name
        file = value["file"]?.textValue ?? name
        files = value.members("files").compactMap { member in member.value.textValue.map { (member.name, $0) } }
        generation = value["generation"]?.textValue.flatMap(ScriptGeneration.init(rawValue:)) ?? .v2
        operations = value.texts("scripts")
        isBroken = value["broken"]?.booleanValue ?? false
        isAssumed = value["assumed"]?.booleanValue ?? false
        undeletesByUpdate = value["undeletesByUpdate"]?.booleanValue ?? false
        definition = value["definition"] ?? .object([])
        places = value.members("places").map { ScriptedKey($0.name, in: $0.value) }
    }

    /// Returns the path of the file that an operation's script is in.
    public func file(of operation: String) -> String {
        files.first { $0.operation == operation }?.path ?? file
    }
}

/// A key of a definition, and its position in the project.
public struct ScriptedKey: Sendable {
    /// With dots, such as `read.access`.
    public let name: String
    /// The path of the file within the project.
    public let file: String
    /// The line, from 1; nil if it isn't known.
    public let line: Int?

    init(_ name: String, in place: JSONValue) {
        self.name = name
        file = place["file"]?.textValue ?? ""
        line = place["line"]?.integerValue.map { Int($0) }
    }
}

/// An API whose verbs are functions in a script.
public struct ScriptedAPI: Sendable {
    /// The name below `/api`.
    public let name: String
    /// The path of the file within the project.
    public let file: String
    /// The SDK it was written for.
    public let generation: ScriptGeneration
    /// The verbs in lower case, each with its access level.
    public let verbs: [(verb: String, access: String)]
    /// Whether its file can't be read, so that every request gets a 500.
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

/// A script that runs on a schedule.
public struct ScriptedJob: Sendable {
    /// Its name.
    public let name: String
    /// The path of the file within the project.
    public let file: String
    /// The schedule in five fields, or `atStart`; nil if it isn't scheduled.
    public let cron: String?
    /// The position of `cron`; nil if no file says anything of the job.
    private let place: ScriptedKey?

    /// The schedule of a job that runs once, when a server starts.
    public static let atStart = "@start"

    init?(_ value: JSONValue) {
        guard let name = value["name"]?.textValue else { return nil }
        self.name = name
        file = value["file"]?.textValue ?? name
        cron = value["cron"]?.textValue
        place = value["place"].map { ScriptedKey("cron", in: $0) }
    }

    /// What keeps the job from being scheduled as its file says; nil if nothing does.
    var fault: ScriptFault? {
        guard let cron, cron != Self.atStart, CronSchedule(cron) == nil else { return nil }
        let sentence =
            "`cron` is '\(cron)', which is no schedule: minute 0-59, hour 0-23, day 1-31, month 1-12, "
            + "day of the week 0-7, each *, numbers, ranges, and steps such as */15"
        return ScriptFault(file: place?.file ?? file, line: place?.line, text: sentence)
    }
}

/// A mistake in a script.
public struct ScriptFault: Sendable {
    /// The path of the file within the project.
    public let file: String
    /// The line, from 1; nil if it concerns the whole file.
    public let line: Int?
    /// The mistake, described for the script's author.
    public let text: String
    /// Whether the script can't be served.
    public let isFatal: Bool
    /// The unsupported feature that it is about, if any.
    public let unsupported: UnsupportedFeature?

    /// A mistake because of which the script can't be served.
    init(file: String, line: Int?, text: String) {
        (self.file, self.line, self.text) = (file, line, text)
        (isFatal, unsupported) = (true, nil)
    }

    /// A warning about a whole file.
    init(file: String, _ text: String) {
        (self.file, self.text) = (file, text)
        (line, isFatal, unsupported) = (nil, false, nil)
    }

    init(_ value: JSONValue) {
        file = value["file"]?.textValue ?? ""
        line = value["line"]?.integerValue.map { Int($0) }
        text = value["message"]?.textValue ?? "can't be loaded"
        isFatal = value["fatal"]?.booleanValue ?? true
        unsupported = value["name"]?.textValue.flatMap(UnsupportedFeature.init(rawValue:))
    }
}

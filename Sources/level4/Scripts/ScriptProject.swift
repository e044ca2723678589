/// A folder of scripts, as an operator has it.
public struct ScriptProject: Sendable, Equatable {
    /// How a folder is laid out.
    public enum Form: String, Sendable {
        /// The server's own configuration: `tables/*.js`, `api/*.js`, `shared`, `scheduler`.
        case config
        /// A project of the Azure Mobile Apps SDK for Node, with its own `app.js`.
        case app
        /// The git folder of a Mobile Service: `service/table`, `service/api`, `service/scheduler`, `service/shared`.
        case service
    }

    /// How it is laid out.
    public let form: Form
    /// Where it is, absolute.
    public let root: String

    /// Names a folder.
    public init(_ form: Form, at root: String) {
        self.form = form
        self.root = root
    }
}

/// What scripts run in, and how much of it.
public struct ScriptLimits: Sendable, Equatable {
    /// The program that runs them, by its path or its name.
    public var node = "node"
    /// How long a call may take.
    public var time = Duration.seconds(5)
    /// For how long the scripts may have a processor while they are read.
    public var readingWork = Duration.seconds(15)
    /// How much a worker's JavaScript may keep, in MiB. All of its memory may be `processMegabytes`.
    public var memoryMegabytes = 256
    /// How many processes run scripts.
    public var workers = 2
    /// As whom they run, by name; nil for the server's own user.
    public var user: String?
    /// How many calls may be under way at once in one worker. More are answered that the server is busy.
    public var callsPerWorker = 256

    /// What Node itself takes, and buffers outside of its heap.
    var processMegabytes: Int { memoryMegabytes + 192 }

    /// By which scripts of the Node SDK sign tokens that the server takes, in hexadecimal; nil where it takes none.
    public var tokenKey: String?

    /// Whether what is told of a project is more than a server needs, for whoever checks it.
    public var reports = false

    /// The defaults.
    public init() {}
}

/// A folder of scripts.
public struct ScriptProject: Sendable, Equatable {
    /// The layout of a folder.
    public enum Form: String, Sendable {
        /// The server's own configuration: `tables/*.js`, `api/*.js`, `shared`, `scheduler`.
        case config
        /// A project of the Azure Mobile Apps SDK for Node, with its own `app.js`.
        case app
        /// The git folder of a Mobile Service: `service/table`, `service/api`, `service/scheduler`, `service/shared`.
        case service
    }

    /// The layout.
    public let form: Form
    /// The absolute path.
    public let root: String

    /// Creates a project.
    public init(_ form: Form, at root: String) {
        self.form = form
        self.root = root
    }
}

/// The program that runs scripts, and its limits.
public struct ScriptLimits: Sendable, Equatable {
    /// The program that runs them, by path or name.
    public var node = "node"
    /// The maximum duration of a call.
    public var time = Duration.seconds(5)
    /// The maximum processor time for reading the scripts.
    public var readingWork = Duration.seconds(15)
    /// The maximum heap of a worker's JavaScript, in MiB. Its total memory is limited to `processMegabytes`.
    public var memoryMegabytes = 256
    /// The number of processes that run scripts.
    public var workers = 2
    /// The name of the user that they run as; nil for the server's own.
    public var user: String?
    /// The maximum number of concurrent calls per worker. Beyond that, the server answers that it is busy.
    public var callsPerWorker = 256

    /// The memory limit of a process in MiB, including that of Node itself and of buffers outside its heap.
    var processMegabytes: Int { memoryMegabytes + 192 }

    /// The hexadecimal key of tokens that scripts of the Node SDK sign; nil if the server accepts no such tokens.
    public var tokenKey: String?

    /// Whether to collect more about a project than a server needs, for operators who check it.
    public var reports = false

    /// Whether two workers read the scripts before they are served, to find out whether they read the same.
    public var readsTwice = false

    /// Creates the defaults.
    public init() {}
}

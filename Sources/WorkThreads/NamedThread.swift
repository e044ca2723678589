import class Foundation.Thread

/// A separate thread, for work that would hold up whatever shared a thread with it.
public enum NamedThread {
    /// Starts a thread, which ends with the body. The name is the one that the system's tools show.
    public static func start(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread { body() }
        thread.name = name
        thread.start()
    }
}

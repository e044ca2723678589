/// The process's handling of signals.
public enum Signals {
    /// Returns whether a signal is ignored.
    public static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        guard unsafe sigaction(number, nil, &action) == 0 else { return false }
        // The action is a function, or one of two numbers.
        #if canImport(Glibc)
            let found = unsafe action.__sigaction_handler.sa_handler
        #elseif canImport(Musl)
            let found = unsafe action.__sa_handler.sa_handler
        #else
            let found = unsafe action.__sigaction_u.__sa_handler
        #endif
        let ignoring = SIG_IGN
        return unsafe unsafeBitCast(found, to: Int.self) == unsafeBitCast(ignoring, to: Int.self)
    }
}

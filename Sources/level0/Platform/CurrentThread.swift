/// The calling thread.
public enum CurrentThread {
    /// Identifies the thread among all running threads.
    public static var number: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}

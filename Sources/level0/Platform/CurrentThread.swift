/// The thread that asks.
public enum CurrentThread {
    /// Identifies it among all running threads.
    public static var number: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}

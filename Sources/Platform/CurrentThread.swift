/// The thread that asks.
public enum CurrentThread {
    /// Tells it from all others that run.
    public static var number: UInt {
        #if canImport(Glibc)
            UInt(pthread_self())
        #else
            UInt(bitPattern: pthread_self())
        #endif
    }
}

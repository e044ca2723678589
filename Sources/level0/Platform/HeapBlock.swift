/// A block of memory as `malloc` gives it.
public enum HeapBlock {
    /// How many bytes it has room for, which may be more than were asked for; none for nil.
    public static func size(_ block: UnsafeMutableRawPointer?) -> Int {
        #if canImport(Darwin)
            unsafe malloc_size(block)
        #else
            unsafe malloc_usable_size(block)
        #endif
    }
}

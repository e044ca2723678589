/// A block of memory from `malloc`.
public enum HeapBlock {
    /// Returns the block's capacity in bytes, which may exceed the requested size; 0 for nil.
    public static func size(_ block: UnsafeMutableRawPointer?) -> Int {
        #if canImport(Darwin)
            unsafe malloc_size(block)
        #else
            unsafe malloc_usable_size(block)
        #endif
    }
}

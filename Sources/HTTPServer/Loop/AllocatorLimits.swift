internal import CSockets

/// How much freed memory the allocator may keep.
enum AllocatorLimits {
    /// Larger blocks are mapped by themselves, and go back to the system when they are freed.
    private static let blockBytes: Int32 = 1 << 20
    /// More than this, free at the end of a thread's heap, goes back too; `malloc_trim` leaves it.
    private static let heapEndBytes: Int32 = 2 << 20

    /// Sets the limits, for the whole process. Left alone they grow with what is freed, to 64 MiB in each thread's heap.
    static func set() {
        _ = mallopt(M_MMAP_THRESHOLD, blockBytes)
        _ = mallopt(M_TRIM_THRESHOLD, heapEndBytes)
    }
}

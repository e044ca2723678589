/// How freed memory is returned to the system.
public enum FreedMemory {
    /// Larger blocks are mapped separately, and returned to the system when they are freed.
    private static let blockBytes: Int32 = 1 << 20
    /// Free memory at the end of a thread's heap is returned too if it exceeds this; `giveBack` leaves it.
    private static let heapEndBytes: Int32 = 2 << 20

    /// Limits what the allocator retains, for the whole process. By default glibc retains more as memory is freed, up
    /// to 64 MiB in each thread's heap; other allocators are left alone.
    public static func bound() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, blockBytes)
            _ = mallopt(M_TRIM_THRESHOLD, heapEndBytes)
        #endif
    }

    /// Releases the program's own code from memory. Code in use is paged in again, unlike what was only needed at
    /// startup, which is most of it. Not in debug builds, in which breakpoints are in that memory.
    public static func giveBackCode() {
        #if os(Linux) && !DEBUG
            zumod_unmap_program()
        #endif
    }

    /// Returns free memory between blocks in use to the system, which takes some milliseconds.
    public static func giveBack() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}

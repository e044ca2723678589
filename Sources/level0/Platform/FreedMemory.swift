/// What becomes of memory that was freed.
public enum FreedMemory {
    /// Larger blocks are mapped by themselves, and go back to the system when they are freed.
    private static let blockBytes: Int32 = 1 << 20
    /// More than this, free at the end of a thread's heap, goes back too; `giveBack` leaves it.
    private static let heapEndBytes: Int32 = 2 << 20

    /// Limits what the allocator keeps, for the whole process. By default glibc keeps more as memory is freed, up to 64
    /// MiB in each thread's heap; other allocators are left alone.
    public static func bound() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, blockBytes)
            _ = mallopt(M_TRIM_THRESHOLD, heapEndBytes)
        #endif
    }

    /// Releases the program's own code from memory. What is used comes back by itself, without what was only needed at
    /// startup, which is most of it. Not in a debug build: breakpoints are in that memory.
    public static func giveBackCode() {
        #if os(Linux) && !DEBUG
            zumod_unmap_program()
        #endif
    }

    /// Returns free memory that lies between memory in use. It takes some milliseconds.
    public static func giveBack() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}

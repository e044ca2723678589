/// What becomes of memory that was freed.
public enum FreedMemory {
    /// Larger blocks are mapped by themselves, and go back to the system when they are freed.
    private static let blockBytes: Int32 = 1 << 20
    /// More than this, free at the end of a thread's heap, goes back too; `giveBack` leaves it.
    private static let heapEndBytes: Int32 = 2 << 20

    /// Bounds what the allocator keeps, for the whole process. Left alone it keeps more with what is freed, up to 64 MiB in each
    /// thread's heap of glibc; others are left alone.
    public static func bound() {
        #if canImport(Glibc)
            _ = mallopt(M_MMAP_THRESHOLD, blockBytes)
            _ = mallopt(M_TRIM_THRESHOLD, heapEndBytes)
        #endif
    }

    /// Lets go of the program's own code that is in memory. What is used comes back by itself, and without what was for the
    /// start only, which is the most of it. Not in a debug build: breakpoints stand in that memory.
    public static func giveBackCode() {
        #if os(Linux) && !DEBUG
            zumod_unmap_program()
        #endif
    }

    /// Gives back what lies between what isn't free. It takes some milliseconds.
    public static func giveBack() {
        #if canImport(Glibc)
            _ = malloc_trim(0)
        #endif
    }
}

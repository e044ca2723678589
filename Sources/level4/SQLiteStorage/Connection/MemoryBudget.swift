import CSQLite
import Platform
import Tables

/// Limits the memory that SQLite uses for one list, above all for sorting rows.
///
/// SQLite's own limits apply to the whole process, and would make a writer fail because of a reader.
enum MemoryBudget {
    /// The memory for one list, in bytes.
    static let bytes = 56 << 20
    /// The size from which a block isn't counted, as it holds a single text: imported rows may be larger than the
    /// budget. Calculations have a limit of their own, `CalculationBound`.
    private static let uncounted = 4 << 20

    /// The remaining memory for a thread's list.
    private struct Balance {
        var left = MemoryBudget.bytes
        var wasRefused = false
    }

    /// Runs a body in which SQLite gets no more memory than that on this thread.
    static func limited<Result>(_ body: () throws(TableError) -> Result) throws(TableError) -> Result {
        let balance = UnsafeMutablePointer<Balance>.allocate(capacity: 1)
        unsafe balance.initialize(to: Balance())
        unsafe pthread_setspecific(key, balance)
        defer {
            pthread_setspecific(key, nil)
            unsafe balance.deallocate()
        }
        do throws(TableError) {
            return try body()
        } catch {
            throw unsafe balance.pointee.wasRefused ? .tooLarge : error
        }
    }

    /// Makes SQLite allocate its memory here. Evaluated once, before the first connection.
    static let isWatching: Bool = {
        _ = key
        var methods = unsafe sqlite3_mem_methods(
            xMalloc: { unsafe MemoryBudget.resize(nil, to: Int($0)) },
            xFree: { block in
                unsafe MemoryBudget.balance?.pointee.left += MemoryBudget.cost(HeapBlock.size(block))
                unsafe free(block)
            },
            xRealloc: { unsafe MemoryBudget.resize($0, to: Int($1)) },
            xSize: { Int32(clamping: unsafe HeapBlock.size($0)) },
            xRoundup: { ($0 + 7) & ~7 },
            xInit: { _ in SQLITE_OK },
            xShutdown: { _ in },
            pAppData: nil)
        return unsafe zumod_sqlite_set_allocator(&methods) == SQLITE_OK
    }()

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()

    private static func cost(_ size: Int) -> Int { size >= uncounted ? 0 : size }

    private static var balance: UnsafeMutablePointer<Balance>? {
        unsafe pthread_getspecific(key)?.assumingMemoryBound(to: Balance.self)
    }

    private static func resize(_ block: UnsafeMutableRawPointer?, to size: Int) -> UnsafeMutableRawPointer? {
        guard let balance = unsafe balance else { return unsafe realloc(block, size) }
        let before = cost(unsafe HeapBlock.size(block))
        guard unsafe cost(size) - before <= max(balance.pointee.left, 0) else {
            unsafe balance.pointee.wasRefused = true
            return nil
        }
        guard let resized = unsafe realloc(block, size) else { return nil }
        unsafe balance.pointee.left -= cost(HeapBlock.size(resized)) - before
        return unsafe resized
    }
}

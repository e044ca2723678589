package import Tables

/// A fault reported to operators that can wrap a store's error.
package protocol StoreFault: Error {
    init(_ error: TableError)
}

extension StoreFault {
    /// Calls a store, converting its error to the fault.
    package static func asking<Answer>(
        _ ask: @autoclosure () async throws(TableError) -> Answer
    ) async throws(Self) -> Answer {
        do throws(TableError) { return try await ask() } catch { throw Self(error) }
    }
}

extension StartFault: StoreFault {}

extension CommandFault: StoreFault {
    package init(_ error: TableError) {
        self = .application(StartFault(error))
    }
}

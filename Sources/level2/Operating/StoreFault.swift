package import Tables

/// A fault that operators are told of, which an error of a store may become.
package protocol StoreFault: Error {
    init(_ error: TableError)
}

extension StoreFault {
    /// Asks a store; what it fails with becomes the fault.
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

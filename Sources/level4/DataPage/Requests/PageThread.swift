import Dispatch

/// Makes long texts for the page, one at a time, apart from the threads that answer everybody.
enum PageThread {
    private static let queue = DispatchQueue(label: "zumod page")

    static func run<Made: Sendable>(_ make: @escaping @Sendable () throws -> Made) async throws -> Made {
        try await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { try make() }) }
        }.get()
    }

    static func run<Made: Sendable>(_ make: @escaping @Sendable () -> Made) async -> Made {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: make()) }
        }
    }
}

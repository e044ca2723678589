import Dispatch

/// Produces long texts for the page, one at a time, apart from the threads that serve other requests.
enum PageThread {
    private static let queue = DispatchQueue(label: "zumod page")

    static func run<Made: Sendable, Failure: Error>(
        _ make: @escaping @Sendable () throws(Failure) -> Made
    ) async throws(Failure) -> Made {
        try await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: Result { () throws(Failure) in try make() }) }
        }.get()
    }
}

import Scalars
import Tables

/// Queries the database for metrics: only once for all requests at the same time, and with a limit on the wait.
final class DatabaseProbe: Sendable {
    typealias Stamps = [Identifier: Instant]

    private let ask: @Sendable () async throws(TableError) -> Stamps
    private let patience: Duration
    private let looking = SingleFlight<Stamps?>()

    init(patience: Duration, _ ask: @escaping @Sendable () async throws(TableError) -> Stamps) {
        self.patience = patience
        self.ask = ask
    }

    /// - Returns: nil if the database fails, or doesn't answer in time.
    func stamps() async -> Stamps? {
        let look = looking.begin { [ask] in try? await ask() }
        let (answers, answer) = AsyncStream.makeStream(of: Stamps?.self)
        let timer = Task(executorPreference: MetricsQueue.shared) { [patience] in
            try? await Task.sleep(for: patience)
            answer.yield(nil)
        }
        Task(executorPreference: MetricsQueue.shared) { answer.yield(await look.value) }
        defer { timer.cancel() }
        for await stamps in answers { return stamps }
        return nil
    }
}

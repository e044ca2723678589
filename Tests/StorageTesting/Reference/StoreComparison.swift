import Tables

/// Applies one random sequence of steps to a store and to the reference store, which have to answer the same.
public enum StoreComparison {
    private typealias Recorded = (clockStep: Int64, step: StoreStep)

    /// The shortest sequence found that is answered differently, in words; nil where all agree.
    public static func run(on kind: BackendKind, _ size: ComparisonSize) async throws -> String? {
        var source = StepSource(seed: size.seed)
        var steps: [Recorded] = []
        let found = try await replay(on: kind) { (reference: ReferenceStore) in
            guard steps.count < size.count else { return nil }
            steps.append((source.clockStep(), source.step(in: reference)))
            return steps.last
        }
        guard var found else { return nil }
        (steps, found) = try await shortened(steps, found, on: kind)
        return """
            seed \(size.seed), \(steps.count) steps:
            \(steps.map { "  clock \($0.clockStep) ms, \($0.step)" }.joined(separator: "\n"))
            \(found)
            """
    }

    /// Runs steps until the answers differ, and tells how they do. What follows the step at fault is never asked for.
    private static func replay(
        on kind: BackendKind, _ next: (ReferenceStore) -> Recorded?
    ) async throws -> String? {
        let bench = Bench(try await kind.make())
        do {
            let clock = bench.clock
            let reference = try ReferenceStore(StepSource.tables) { clock.now }
            var expected = ObservedStore(reference)
            var actual = ObservedStore(try await bench.open(StepSource.tables))
            var found: String?
            while found == nil, let (clockStep, step) = next(reference) {
                clock.move(byMilliseconds: clockStep)
                let answers = (try await expected.run(step), try await actual.run(step))
                let faults = expected.faults + actual.faults
                if answers.0 != answers.1 || !faults.isEmpty {
                    found = "expected \(answers.0)\nthe store \(answers.1)\n\(faults.joined(separator: "\n"))"
                }
            }
            try await bench.finish()
            return found
        } catch {
            try? await bench.finish()
            throw error
        }
    }

    /// Leaves out what the difference doesn't need, in ever smaller pieces.
    private static func shortened(
        _ steps: [Recorded], _ found: String, on kind: BackendKind
    ) async throws -> ([Recorded], String) {
        var (steps, found) = (steps, found)
        var piece = steps.count / 2
        var attempts = 300
        while piece > 0, attempts > 0 {
            var start = 0
            while start + piece < steps.count, attempts > 0 {
                attempts -= 1
                var fewer = steps
                fewer.removeSubrange(start..<start + piece)
                var rest = fewer.makeIterator()
                if let difference = try await replay(on: kind, { _ in rest.next() }) {
                    (steps, found) = (fewer, difference)
                } else {
                    start += piece
                }
            }
            piece /= 2
        }
        return (steps, found)
    }
}

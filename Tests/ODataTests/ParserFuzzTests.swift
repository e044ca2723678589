import Foundation
import SeedTesting
import Testing

/// Throws garbled queries at the parser: whatever comes, it answers with a query or with an error that points into it.
///
/// `ZUMOD_FUZZ_SECONDS` makes it go on for that long, from another seed at each run; `ZUMOD_TEST_SEED` repeats a run.
@Suite("The parser meets garbled queries")
struct ParserFuzzTests {
    private static let environment = ProcessInfo.processInfo.environment
    private static let seconds = environment["ZUMOD_FUZZ_SECONDS"].flatMap { Int64($0) }

    private static let seeds: [UInt64] = {
        if let seed = environment["ZUMOD_TEST_SEED"].flatMap({ UInt64($0) }) { return [seed] }
        return seconds == nil ? [1, 2] : [UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max)]
    }()

    /// Queries without a time to fill.
    private static let usualCount = 10_000

    @Test(arguments: seeds)
    func `any text is a query or an error that points into it`(seed: UInt64) throws {
        let corpus = try GarbledQuery.corpus()
        try #require(corpus.count > 30)
        var random = SeededGenerator(seed: seed)
        let end = Self.seconds.map { ContinuousClock.now + .seconds($0) }
        var count = 0
        while end.map({ ContinuousClock.now < $0 }) ?? (count < Self.usualCount) {
            GarbledQuery(from: corpus, &random).check(seed: seed)
            count += 1
        }
        if Self.seconds != nil { print("seed \(seed): \(count) queries") }
    }

    @Test func `every line of the corpus is read as it stands`() throws {
        for query in try GarbledQuery.corpus() { query.check(seed: 0) }
    }
}

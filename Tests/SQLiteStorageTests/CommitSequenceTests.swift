import SeedTesting
import Testing

@testable import SQLiteStorage

@Suite struct `The sequence of commits` {
    /// What becomes of a write.
    private enum Fate: CaseIterable {
        case done, spoils, givesUp
    }

    /// Does all that a sequence asks for, with a database that is what the arguments say.
    /// - Returns: what was done, one word each.
    private func run(
        _ fates: [Fate], alone: [Int] = [], begins: () -> Bool = { true }, commits: () -> Bool = { true }
    ) -> [String] {
        var sequence = CommitSequence(count: fates.count, alone: alone)
        var action = sequence.first
        var words: [String] = []
        while words.count < 1_000 {
            switch action {
            case .begin:
                let isBegun = begins()
                words.append(isBegun ? "begin" : "blocked")
                action = isBegun ? sequence.begun() : sequence.failed()
            case .perform(let index, let withSavepoint):
                words.append("\(index)\(withSavepoint ? "s" : "")")
                if fates[index] == .spoils, !withSavepoint {
                    action = sequence.spoiled()
                } else {
                    action = sequence.performed(isInTransaction: fates[index] != .givesUp)
                }
            case .beginAnew:
                words.append("undo")
                action = .begin
            case .commit:
                let isCommitted = commits()
                words.append(isCommitted ? "commit" : "lost")
                action = isCommitted ? sequence.committed() : sequence.failed()
            case .giveUp:
                words.append("given up")
                action = sequence.failed()
            case .answer(let members):
                words.append("answer \(members)")
                action = sequence.answered()
            case .refuse(let members):
                words.append("refuse \(members)")
                return words
            case .end:
                return words
            }
        }
        return words
    }

    @Test func `puts all writes in one commit, and tells nobody before it`() {
        #expect(run([.done, .done, .done]) == ["begin", "0", "1", "2", "commit", "answer 0..<3"])
        #expect(run([]) == [])
    }

    @Test func `gives a commit of its own to a write that has to have one`() {
        #expect(
            run([.done, .done, .done], alone: [1]) == [
                "begin", "0", "commit", "answer 0..<1", "begin", "1", "commit", "answer 1..<2", "begin", "2", "commit",
                "answer 2..<3",
            ])
    }

    @Test func `begins anew with savepoints where a write left something behind, up to the commit`() {
        #expect(
            run([.done, .spoils, .done, .done], alone: [3]) == [
                "begin", "0", "1", "undo", "begin", "0s", "1s", "2s", "commit", "answer 0..<3", "begin", "3", "commit",
                "answer 3..<4",
            ])
    }

    @Test func `goes on behind the write that took the transaction with it`() {
        #expect(
            run([.done, .givesUp, .done]) == [
                "begin", "0", "1", "given up", "answer 0..<2", "begin", "2", "commit", "answer 2..<3",
            ])
    }

    @Test func `tells all members of a commit that failed, and begins with the others`() {
        var commits = [false, true].makeIterator()
        let words = run([.done, .done], alone: [0, 1], commits: { commits.next() == true })
        #expect(words == ["begin", "0", "lost", "answer 0..<1", "begin", "1", "commit", "answer 1..<2"])
    }

    @Test func `refuses all that are left where no transaction begins`() {
        var begins = [true, false].makeIterator()
        let words = run([.done, .done, .done], alone: [0], begins: { begins.next() == true })
        #expect(words == ["begin", "0", "commit", "answer 0..<1", "blocked", "refuse 1..<3"])
    }

    @Test func `answers each write once and behind its commit, whatever happens`() {
        var random = SeededGenerator.printed("a sequence of commits")
        for _ in 0..<2_000 {
            let fates = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                random.chance(80) ? Fate.done : random.pick(Fate.allCases)
            }
            let alone = fates.indices.filter { _ in random.chance(10) }
            var other = SeededGenerator(seed: random.next())
            let words = run(
                fates, alone: alone, begins: { random.chance(95) }, commits: { other.chance(90) })
            check(words, fates.count, alone)
        }
    }

    private func check(_ words: [String], _ count: Int, _ alone: [Int]) {
        var told = 0
        var done: [Int] = []
        var isOver = false
        for word in words {
            switch word {
            case "begin", "undo":
                #expect(word == "undo" || (done.isEmpty && !isOver), "\(words)")
                done = []
            case "commit", "lost", "given up":
                #expect(!isOver && !done.isEmpty, "\(words)")
                isOver = true
            case "blocked": #expect(done.isEmpty && !isOver, "\(words)")
            case "answer \(told..<told + done.count)" where isOver:
                #expect(done.count == 1 || alone.allSatisfy { !done.contains($0) }, "\(words)")
                told += done.count
                (done, isOver) = ([], false)
            case "refuse \(told..<count)":
                told = count
            default:
                #expect(!isOver && Int(word.filter(\.isNumber)) == told + done.count, "\(words)")
                done.append(told + done.count)
            }
        }
        #expect(told == count, "\(words)")
    }
}

import Synchronization

@testable import Arguments

/// A program that does nothing but keep what it was told.
final class Tool: Sendable {
    enum Level: String, ParameterValue, CaseIterable {
        case low, middle, high
    }

    struct Shared: Equatable, Sendable {
        var folder: String?
        var level = Level.low
    }

    struct Copy: Equatable, Sendable {
        var from = ""
        var rest: [String] = []
        var into = ""
        var times = 1
        var tags: [String] = []
        var levels: [Level] = []
        var force = false
        var never = false
        var shared = Shared()

        static let shared: [Parameter<Shared>] = [
            .option("folder", "dir", "Where things lie.", of: .folder, to: \.folder),
            .option("level", "level", "How loud.", to: \.level),
        ]
        static let parameters: [Parameter<Copy>] =
            [
                .argument("from", "What to copy.", of: .file, to: \.from),
                .argument("rest", "More of it.", of: .file, to: \.rest),
                .option("into", "place", "Where it goes.", to: \.into),
                .option("times", "count", "How often.", to: \.times),
                .option("tag", "name", "May be repeated.", to: \.tags),
                .option("levels", "level", "May be repeated.", to: \.levels),
                .flag("force", "Even where something is there.", to: \.force),
                .flag("never", "Not at all.", to: \.never),
            ] + shared.within(\.shared)
    }

    private let kept = Mutex<Copy?>(nil)

    /// What `copy` was told when it ran; nil where it never did.
    var copied: Copy? { kept.withLock { $0 } }

    var program: Program {
        let copy = Command(
            "copy", "Copies.", discussion: "One paragraph.\n\nAnother.", Copy(), Copy.parameters,
            check: { copy in
                if copy.force, copy.never { throw CommandEnd.wrongUsage("--force and --never exclude each other") }
            },
            run: { copy in
                self.kept.withLock { $0 = copy }
                if copy.from == "code" { throw CommandEnd.code(7) }
                if copy.from == "usage" { throw CommandEnd.wrongUsage("not so") }
                if copy.from == "fault" { throw CancellationError() }
            })
        let list = Command("list", "Lists.", Copy(), Copy.shared.within(\.shared)) { _ in }
        return Program(
            "tool", "Does things.", discussion: "More on it.", version: "tool-1.2.3",
            manual: ManualPage(summary: "a tool - of sorts", sections: ".SH SEE ALSO\nelsewhere"),
            [copy, Command("box", "Tends boxes.", [list])], tell: { $0 is CancellationError ? 9 : 70 })
    }

    func answer(_ words: [String], width: Int = 80, shell: String = "") async -> Program.Answer {
        await program.answer(to: words, width: width, shell: shell)
    }

    /// What `copy` is told by these words behind what it has to be told.
    static func copying(_ words: String...) async -> Copy? {
        let tool = Tool()
        let answer = await tool.answer(["copy", "a", "--into", "b"] + words)
        return answer == Program.Answer() ? tool.copied : nil
    }

    /// What is said on standard error of these words, by its first line.
    static func fault(_ words: String...) async -> String? {
        let answer = await Tool().answer(words)
        return answer.code == 64 && answer.output.isEmpty
            ? answer.errors.split(separator: "\n").first.map(String.init) : nil
    }
}

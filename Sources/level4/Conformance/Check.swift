/// One rule of the protocol, and how a server is tried by it.
public struct Check: Sendable {
    /// What it is called in reports and by `--only`, without its generation: `update/a-stale-if-match-answers-412`.
    public private(set) var name: String
    /// What is asked of a server, in one sentence.
    public let rule: String
    /// The generations whose servers have to follow the rule.
    public private(set) var generations: [WireGeneration]
    /// Throws a `Verdict` where it ends early.
    let run: @Sendable (CheckContext) async throws -> Void

    init(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext) async throws -> Void
    ) {
        self.name = name
        self.rule = rule
        self.generations = generations
        self.run = run
    }

    /// A check on a row that it makes first.
    static func ofRow(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext, Row) async throws -> Void
    ) -> Check {
        Check(name, rule, on: generations) { context in try await run(context, context.made()) }
    }

    /// A check on a row that it makes and deletes first.
    static func ofTombstone(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext, Row) async throws -> Void
    ) -> Check {
        Check(name, rule, on: generations) { context in try await run(context, context.tombstone()) }
    }

    /// A check that asks for rows among the six samples.
    static func ofSamples(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext, SampleRows) async throws -> Void
    ) -> Check {
        Check(name, rule, on: generations) { context in try await run(context, context.samples()) }
    }

    /// The same as a check of a theme, whose name comes before its own.
    /// - Parameter generations: those of the whole theme; nil where each check has its own.
    fileprivate func of(_ theme: String, on generations: [WireGeneration]?) -> Check {
        var check = self
        check.name = "\(theme)/\(name)"
        if let generations { check.generations = generations }
        return check
    }

    /// The theme: the part of the name before the slash.
    public var theme: String { String(name.prefix { $0 != "/" }) }

    /// The name with the generation in front, which is the check's identity in reports.
    public func id(on generation: WireGeneration) -> String { "\(generation.rawValue)/\(name)" }
}

/// All checks, in the order in which they run.
public enum Checks {
    /// Every check of every generation.
    public static let all: [Check] =
        themes.flatMap { theme in theme.checks.map { $0.of(theme.name, on: theme.generations) } }

    private static let themes: [(name: String, generations: [WireGeneration]?, checks: [Check])] = [
        ("insert", nil, insert), ("read", nil, read), ("update", nil, update), ("conflict", nil, conflict),
        ("delete", nil, delete), ("undelete", nil, undelete), ("filter", nil, filter), ("list", nil, list),
        ("page", nil, page), ("pull", nil, pull), ("values", nil, values), ("conditions", [.v3], conditions),
        ("services", [.v1], services), ("datasync", [.v3], datasync), ("http", nil, heads), ("errors", nil, errors),
        ("version", nil, versions), ("access", nil, access), ("cors", nil, origins),
    ]
}

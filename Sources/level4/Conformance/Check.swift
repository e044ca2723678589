/// One rule of the protocol, and how a server is tried by it.
public struct Check: Sendable {
    /// What it is called in reports and by `--only`, without its generation: `update/a-stale-if-match-answers-412`.
    public let name: String
    /// What is asked of a server, in one sentence.
    public let rule: String
    /// The generations whose servers have to follow the rule.
    public let generations: [WireGeneration]
    /// Throws a `CheckEnd` where it ends early.
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
        Check(name, rule, on: generations) { visit in try await run(visit, visit.made()) }
    }

    /// A check on a row that it makes and deletes first.
    static func ofTombstone(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext, Row) async throws -> Void
    ) -> Check {
        Check(name, rule, on: generations) { visit in try await run(visit, visit.tombstone()) }
    }

    /// A check that asks for rows of the shelf.
    static func ofShelf(
        _ name: String, _ rule: String, on generations: [WireGeneration] = WireGeneration.allCases,
        _ run: @escaping @Sendable (CheckContext, SampleRows) async throws -> Void
    ) -> Check {
        Check(name, rule, on: generations) { visit in try await run(visit, visit.shelf()) }
    }

    /// The theme: the part of the name before the slash.
    public var theme: String { String(name.prefix { $0 != "/" }) }

    /// The name with the generation in front, which is the check's identity in reports.
    public func id(on generation: WireGeneration) -> String { "\(generation.rawValue)/\(name)" }
}

/// Why a check ended before its end.
enum CheckEnd: Error {
    /// The server does not obey the rule.
    case failed(expected: String, came: String, exchange: Int?)
    /// The rule can't be tried on this server.
    case skipped(String)
}

/// All checks, in the order in which they run.
public enum Checks {
    /// Every check of every generation.
    public static let all: [Check] =
        insert + read + update + conflict + delete + filter + list + page + pull + values + conditions + services
        + datasync + http
}

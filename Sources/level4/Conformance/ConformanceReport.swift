/// The result of a check, which throws it where it ends early.
public enum Verdict: Error {
    /// The server obeys the rule.
    case passed
    /// It does not.
    case failed(expected: String, came: String, exchange: Int?)
    /// The rule can't be tried on this server, and why.
    case skipped(String)
}

/// A check and its result.
public struct CheckResult: Sendable {
    /// The check.
    public let check: Check
    /// The generation in whose form the server was asked.
    public let generation: WireGeneration
    /// The result.
    public let verdict: Verdict
    /// What was expected and came true, in its order.
    public let demands: [String]
    /// Every request with its answer, in their order.
    public let exchanges: [CheckExchange]

    /// The check's identity: `v2/update/a-stale-if-match-answers-412`.
    public var id: String { check.id(on: generation) }

    /// Whether the server obeys the rule.
    public var isPassed: Bool { if case .passed = verdict { true } else { false } }

    /// Whether the server breaks the rule.
    public var isFailed: Bool { if case .failed = verdict { true } else { false } }

    /// The exchange that shows the failure.
    var telling: CheckExchange? {
        guard case .failed(_, _, let number) = verdict, let number, exchanges.indices.contains(number) else {
            return nil
        }
        return exchanges[number]
    }
}

/// The results of a run.
public struct ConformanceReport: Sendable {
    /// The server's address.
    public let address: String
    /// The table that was used most.
    public let table: String
    /// Every check's result, in the order in which they ran.
    public let results: [CheckResult]

    /// How many checks the server passed.
    public var passed: Int { results.count { $0.isPassed } }
    /// How many it failed.
    public var failed: Int { results.count { $0.isFailed } }
    /// How many could not be tried.
    public var skipped: Int { results.count - passed - failed }
}

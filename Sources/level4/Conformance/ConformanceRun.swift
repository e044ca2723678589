import CurlClient
import HTTPModel

/// Every check of a generation that was asked for, one after the other.
public struct ConformanceRun: Sendable {
    private let target: ConformanceTarget
    private let generations: [WireGeneration]
    private let patterns: [String]
    private let transport: any ConformanceTransport

    /// - Parameter patterns: which checks run, by their ids, with `*` for anything; none for all.
    public init(
        _ target: ConformanceTarget, _ generations: [WireGeneration], only patterns: [String] = [],
        transport: any ConformanceTransport
    ) {
        self.target = target
        self.generations = generations
        self.patterns = patterns
        self.transport = transport
    }

    /// Why no check could be tried.
    public enum Fault: Error {
        /// No answer came.
        case unreachable(String)
        /// The server refuses what was named, and the sentence says what to name.
        case unusable(String)
        /// No check has a matching id.
        case nothingToDo(String)
    }

    /// Runs the checks.
    /// - Parameter tell: receives each result as it arrives.
    public func run(tell: (CheckResult) -> Void = { _ in }) async throws(Fault) -> ConformanceReport {
        for pattern in patterns {
            let isKnown = generations.contains { generation in
                Checks.all.contains {
                    $0.generations.contains(generation) && Glob(pattern).matches($0.id(on: generation))
                }
            }
            guard isKnown else {
                throw .nothingToDo(
                    "no check of \(generations.map(\.rawValue).joined(separator: ", ")) is called `\(pattern)`; "
                        + "--list says what they are called")
            }
        }
        var results: [CheckResult] = []
        for generation in generations {
            try await knock(generation)
            results += await run(generation, tell)
        }
        return ConformanceReport(address: target.address, table: target.table, results: results)
    }

    /// The checks of a generation that run.
    /// - Parameter patterns: none for all.
    public static func checks(of generation: WireGeneration, only patterns: [String] = []) -> [Check] {
        Checks.all.filter { check in
            guard check.generations.contains(generation) else { return false }
            return patterns.isEmpty || patterns.contains { Glob($0).matches(check.id(on: generation)) }
        }
    }

    private func run(_ generation: WireGeneration, _ tell: (CheckResult) -> Void) async -> [CheckResult] {
        let dialect = Dialect(generation: generation)
        let memory = RunState()
        let run = String(UInt32.random(in: 0x1000_0000 ... .max), radix: 16)
        var results: [CheckResult] = []
        for (index, check) in Self.checks(of: generation, only: patterns).enumerated() {
            // Of one length in all checks, and in lower case: functions of text are asked about it.
            let number = String(String(index + 1_000).dropFirst())
            let context = CheckContext(target, dialect, mark: "zc\(run)\(number)", memory: memory, transport: transport)
            let verdict: Verdict
            do {
                try await check.run(context)
                verdict = .passed
            } catch let end as Verdict {
                verdict = end
            } catch {
                verdict = .failed(expected: "a check without a fault of its own", came: "\(error)", exchange: nil)
            }
            let result = CheckResult(
                check: check, generation: generation, verdict: verdict, demands: context.demands,
                exchanges: context.exchanges)
            tell(result)
            results.append(result)
            await tidy(context, context.made)
        }
        await tidy(CheckContext(target, dialect, mark: "zc", memory: memory, transport: transport), memory.rows)
        return results
    }

    /// Deletes the rows that checks created. What can't be deleted stays: its id shows what it is.
    private func tidy(_ context: CheckContext, _ rows: [(table: String, id: String)]) async {
        for row in rows {
            // The report is of the checks.
            _ = try? await context.delete(row.id, from: row.table)
        }
    }

    /// Looks whether there is a table to try anything on.
    private func knock(_ generation: WireGeneration) async throws(Fault) {
        let context = CheckContext(
            target, Dialect(generation: generation), mark: "zc", memory: RunState(), transport: transport)
        let request = context.request(.get, context.path(), [("$top", "1")])
        let answer: CurlResponse
        do throws(CurlFault) {
            answer = try await transport.send(request)
        } catch {
            switch error {
            case .notInstalled: throw .unusable("the program curl, which asks other servers, is not installed")
            case .noAnswer(let complaint): throw .unreachable("\(target.address) can't be reached: \(complaint)")
            case .tooLong: return
            }
        }
        let said =
            "\(target.address) answers \(answer.status) to a \(generation.rawValue) client's GET \(context.path())"
        switch answer.status {
        case 401, 403: throw .unusable("\(said); --key, --master-key or --user-token may open it")
        case 404: throw .unusable("\(said); --table names a table that it has")
        case 502, 503, 504: throw .unreachable(said)
        default: return
        }
    }
}

/// What checks of one run share. Only the run's own task touches it.
final class RunState {
    var samples: SampleRows?
    var pagedRows: PagedRows?
    /// Rows to delete at the end.
    var rows: [(table: String, id: String)] = []
}

/// A pattern with `*` for any characters; one without is found anywhere.
struct Glob {
    private let parts: [Substring]
    private let isAnywhere: Bool

    init(_ pattern: String) {
        isAnywhere = !pattern.contains("*")
        parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
    }

    func matches(_ text: String) -> Bool {
        guard !isAnywhere, let first = parts.first, let last = parts.last else { return text.contains(parts[0]) }
        guard text.hasPrefix(first), text.dropFirst(first.count).hasSuffix(last) else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}

import MetricSeries
import ZumoProtocol

/// Counts and logs who could not prove who they are.
struct AccessFailureMetrics: Sendable {
    private let counters: [AccessFailure.Kind: Counter]

    init(_ registry: MetricRegistry) {
        counters = Dictionary(
            uniqueKeysWithValues: AccessFailure.Kind.allCases.map { kind in
                (kind, registry.counter("zumod_access_failures_total", [("kind", kind.rawValue)]))
            })
    }

    func record(_ failure: AccessFailure, _ logger: Log) {
        counters[failure.kind]?.increment()
        var members: [String: String] = [
            "kind": failure.kind.rawValue, "address": failure.address, "reason": failure.reason,
        ]
        if let mark = failure.userMark { members["user"] = mark }
        logger.notice("access refused", members: members)
    }
}

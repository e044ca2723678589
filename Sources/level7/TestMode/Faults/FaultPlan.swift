import ByteText
import HTTPModel
import Synchronization

/// The faults of a world, in the order in which they were created. Of the rules that match a request, the first that is
/// due strikes; the others still count it.
final class FaultPlan: Sendable {
    /// The maximum number of rules in a world.
    static let maximumRules = 1_000

    /// A rule, with how many requests it matched and how many it struck.
    struct Listed: Sendable {
        let rule: FaultRule
        /// How many requests it matched.
        fileprivate(set) var met = 0
        /// How many of them it struck.
        fileprivate(set) var struck = 0
    }

    private struct State {
        var rules: [Listed] = []
        var made = 0
    }

    private let state = Mutex(State())
    private let bits: SeededBits
    /// Whether there are no rules, readable without the lock: most worlds have none.
    private let isEmpty = Atomic(true)

    /// Creates a plan without faults.
    /// - Parameter bits: the source of random numbers.
    init(by bits: SeededBits) {
        self.bits = bits
    }

    /// All rules in their order.
    var rules: [Listed] { state.withLock { $0.rules } }

    /// Adds a rule, or replaces the one of the same name and starts its counts again.
    /// - Returns: the rule's name, generated if it has none; nil if there are too many rules.
    func add(_ rule: FaultRule) -> String? {
        state.withLock { state in
            var rule = rule
            if rule.name.isEmpty {
                repeat {
                    state.made += 1
                    rule.name = "fault-\(state.made)"
                } while state.rules.contains { $0.rule.name.isExactly(rule.name) }
            }
            if let place = state.rules.firstIndex(where: { $0.rule.name.isExactly(rule.name) }) {
                state.rules[place] = Listed(rule: rule)
            } else {
                guard state.rules.count < Self.maximumRules else { return nil }
                state.rules.append(Listed(rule: rule))
            }
            isEmpty.store(false, ordering: .releasing)
            return rule.name
        }
    }

    /// Removes a rule.
    /// - Returns: false if there is no rule of that name.
    func remove(_ name: String) -> Bool {
        state.withLock { state in
            let before = state.rules.count
            state.rules.removeAll { $0.rule.name.isExactly(name) }
            isEmpty.store(state.rules.isEmpty, ordering: .releasing)
            return state.rules.count < before
        }
    }

    /// Removes all rules.
    func removeAll() {
        state.withLock { state in
            state.rules = []
            isEmpty.store(true, ordering: .releasing)
        }
    }

    /// Returns whether a new connection is struck, before anything is known of it.
    func strikesConnection() -> Bool {
        strike(by: { $0.effect == .refused }, meets: { _ in true }) != nil
    }

    /// Returns the rule that strikes a request after its head, before its body is read.
    func strikesHead(of request: HTTPRequest, at segments: [String]) -> FaultRule? {
        strike(by: { $0.effect == .closed(.beforeReading) }, meets: { $0.holds(for: request, segments) })
    }

    /// Returns the rule that strikes a request that was read completely.
    func strikes(_ request: HTTPRequest, at segments: [String]) -> FaultRule? {
        strike(
            by: { $0.effect != .refused && $0.effect != .closed(.beforeReading) },
            meets: { $0.holds(for: request, segments) })
    }

    private func strike(
        by isAsked: (FaultRule) -> Bool, meets: (FaultRule.Match) -> Bool
    ) -> FaultRule? {
        if isEmpty.load(ordering: .acquiring) { return nil }
        return state.withLock { state in
            var struck: FaultRule?
            for place in state.rules.indices where isAsked(state.rules[place].rule) {
                guard meets(state.rules[place].rule.match) else { continue }
                state.rules[place].met += 1
                guard struck == nil, isDue(state.rules[place]) else { continue }
                state.rules[place].struck += 1
                struck = state.rules[place].rule
            }
            return struck
        }
    }

    private func isDue(_ kept: Listed) -> Bool {
        if let times = kept.rule.times, kept.struck >= times { return false }
        switch kept.rule.turns {
        case .only(let turn): return kept.met == turn
        case .every(let count): return kept.met % count == 0
        case .chance(let chance): return bits.fraction() < chance
        }
    }
}

import JSONText

/// What the workers of a host agree on: what the first of them has read is served, and one that has read something else
/// is let at calls or not. Decides only; the host ends workers, and asks whether files have changed.
struct ScriptAgreement: Sendable {
    /// What is done with a worker that has read the scripts.
    enum Verdict: Equatable, Sendable {
        /// It serves; where something has to be said of it, with a warning.
        case serves(warning: String?)
        /// It is ended, for this reason; where the folder is to be read anew, with a notice of what has changed.
        case ends(because: String, notice: String?)
    }

    /// What the first worker has read.
    private(set) var inventory: ScriptInventory?
    private var words: JSONValue?
    /// Whether another worker has read the same, so that one that hasn't comes of a change.
    private(set) var isConfirmed = false
    /// The first difference found, of whatever kind.
    private(set) var difference: InventoryDifference?
    /// Whether readings differ though nothing has changed.
    private var isFickle = false
    private var hasWarned = false
    /// For which reading the folder was last to be read anew, and when.
    private var asked: (words: JSONValue, time: ContinuousClock.Instant)?
    /// Why what the folder has by now can't be taken over.
    private var refusal: String?

    /// The pause before the folder is to be read anew for another reading, and for the same one.
    static let (pause, longPause) = (Duration.seconds(5), Duration.seconds(60))

    /// Decides about a worker.
    mutating func take(
        _ inventory: ScriptInventory, _ words: JSONValue, at now: ContinuousClock.Instant
    ) -> Verdict {
        guard let agreed = self.words else {
            (self.inventory, self.words) = (inventory, words)
            return .serves(warning: nil)
        }
        guard let difference = InventoryDifference.between(agreed, words) else {
            isConfirmed = true
            return .serves(warning: nil)
        }
        self.difference = self.difference ?? difference
        if isFickle, difference.isServable {
            defer { hasWarned = true }
            return .serves(warning: hasWarned ? nil : "\(difference.sentence) \(Self.fickle)")
        }
        let change = "the scripts have changed and serve something else (\(difference.sentence))"
        var notice: String?
        if asked.map({ now - $0.time >= ($0.words == words ? Self.longPause : Self.pause) }) ?? true {
            asked = (words, now)
            notice = change
        }
        let rest = refusal.map { "and can't be taken over: \($0)" } ?? "which is yet to be taken over"
        return .ends(because: "\(change), \(rest)", notice: notice)
    }

    /// What is said of a part that each reading has otherwise.
    static let fickle =
        "differs each time the scripts are read, though they haven't changed: what was read first counts"

    /// Has the folder be read anew at the next difference, however soon that is.
    mutating func forgetAsking() { asked = nil }

    /// Has workers serve from now on that read something else, as the files haven't changed.
    mutating func beFickle() { isFickle = true }

    /// Records why the configuration that was read last isn't in use; nil if it is.
    mutating func note(refusal: String?) { self.refusal = refusal }
}

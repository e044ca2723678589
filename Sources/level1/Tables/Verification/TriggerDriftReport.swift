public import ByteText
public import Scalars

/// Triggers of a table that another program had removed or changed, and that were recreated at a start. Anything
/// written outside the server in between went unnoticed.
public struct TriggerDriftReport: Sendable, Equatable {
    /// The table.
    public let table: String
    /// The names of the triggers.
    public let triggers: String
    /// When they were recreated.
    public let foundAt: Instant

    /// Creates a report.
    public init(table: String, triggers: String, foundAt: Instant) {
        self.table = table
        self.triggers = triggers
        self.foundAt = foundAt
    }

    /// The message for the log.
    public var words: String {
        "table \(table): \(sentence); `zumod verify` says so until that is answered"
    }

    /// What is wrong, and what has been repaired.
    fileprivate var sentence: String {
        """
        triggers that another program had removed or changed were made anew at \(foundAt.wireText) (\(triggers)); every \
        row got a new stamp then, so that devices pull what was written by SQL before, but rows that were deleted by SQL \
        before can't be known, and stay on devices
        """
    }
}

extension TriggerDriftReport {
    /// Returns the triggers that another program has removed or changed. If nothing was recorded for a table yet, those
    /// that every version created are expected.
    /// - Parameter isSame: whether a trigger, by its name, is as it was recorded.
    public static func lost<Record, State>(
        _ recorded: [ExactText: Record], found: [ExactText: State], essential: [String],
        isSame: (String, Record, State) -> Bool
    ) -> [String] {
        guard !recorded.isEmpty else { return essential.filter { found[ExactText($0)] == nil } }
        return recorded.filter { name, record in
            guard let state = found[name] else { return true }
            return !isSame(name.text, record, state)
        }.keys.sorted().map(\.text)
    }
}

extension Finding {
    /// Returns the finding that not all deletes of a table are known.
    public static func lost(_ loss: TriggerDriftReport) -> Finding {
        Finding(
            .loss, table: loss.table, loss.sentence,
            advice: "where that matters, have devices purge the table and pull it anew; then forget it:",
            sql: ["DELETE FROM zumod_losses WHERE table_name = '\(loss.table)'"])
    }
}

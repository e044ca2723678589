import TableOperations

/// Reads how long rows are visible: `{ days: 30 }`, or several units together, as in the Node SDK.
enum LifetimeDeclaration {
    private static let months: [String: Int] = ["months": 1, "years": 12]
    private static let milliseconds: [String: Int64] = [
        "milliseconds": 1, "seconds": 1_000, "minutes": 60_000, "hours": 3_600_000, "days": 86_400_000,
        "weeks": 604_800_000,
    ]
    private static let names = [
        "milliseconds", "seconds", "minutes", "hours", "days", "weeks", "months", "years",
    ]

    static func read(_ value: ConfigurationValue) throws(ConfigurationFault) -> RowLifetime {
        var total = (months: 0, milliseconds: Int64(0))
        for member in try value.members() where !member.value.isEmpty {
            let count = try member.value.whole(in: 0...1_000_000_000)
            if let factor = months[member.name] {
                total.months += factor * count
            } else if let factor = milliseconds[member.name] {
                total.milliseconds += factor * Int64(count)
            } else {
                throw .unknownKey(member, among: names)
            }
        }
        guard total.months > 0 || total.milliseconds > 0 else {
            throw value.fault("needs a time, such as { days: 30 }")
        }
        return RowLifetime(months: total.months, milliseconds: total.milliseconds)
    }
}

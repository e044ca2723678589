import Access
import Tables

/// The access rules in a table's definition: an operation's own settings override the table's.
struct TableAccess {
    private var table = AccessRule()
    private var operations: [Operation: AccessRule] = [:]

    mutating func applyToTable(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        try table.apply(member)
    }

    /// - Returns: the mistakes in the operation's members.
    mutating func apply(_ members: [ConfigurationValue.Member], to operation: Operation) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for member in members where !member.value.isEmpty {
            faults += .of(try operations[operation, default: AccessRule()].apply(member))
        }
        return faults
    }

    /// Whether an operation is open to everyone because the definition doesn't mention its access.
    var isSilent: Bool { Operation.allCases.contains { applied(to: $0).value == nil } }

    var rules: AccessRules {
        AccessRules(
            everyOperation: table.level().level, perOperation: operations.mapValues { table.level(under: $0).level })
    }

    /// Returns the level of an operation, and the setting that it comes from.
    func applied(to operation: Operation) -> EffectiveAccess { table.level(under: operations[operation]) }
}

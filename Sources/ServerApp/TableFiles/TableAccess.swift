import Tables

/// Who may do what with a table, as its definition says: an operation's level beats the table's, and `access` beats
/// the booleans `authorize` and `disable`, as in the Node SDK.
struct TableAccess {
    private enum Level: String, CaseIterable {
        case anonymous, application, authenticated, admin, disabled
    }

    private struct Rule {
        var access: Level?
        var isDisabled = false

        var level: Level? { access ?? (isDisabled ? .disabled : nil) }

        mutating func apply(_ member: WrittenValue.Member) throws(ConfigurationFault) {
            let value = member.value
            switch member.name {
            case "access":
                let level = try value.choice(of: Level.self)
                guard level == .anonymous || level == .disabled else {
                    throw value.fault(
                        "`\(level.rawValue)` is not available in this version yet; use anonymous or disabled")
                }
                access = level
            case "authorize":
                if try value.boolean() { throw value.notAvailable }
            case "disable":
                isDisabled = try value.boolean()
            default:
                throw .unknownKey(member, among: ["access", "authorize", "disable"])
            }
        }
    }

    private var table = Rule()
    private var operations: [Operation: Rule] = [:]

    mutating func applyToTable(_ member: WrittenValue.Member) throws(ConfigurationFault) {
        try table.apply(member)
    }

    /// - Returns: what is wrong with the operation's members.
    mutating func apply(_ members: [WrittenValue.Member], to operation: Operation) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = []
        for member in members where !member.value.isEmpty {
            do throws(ConfigurationFault) {
                try operations[operation, default: Rule()].apply(member)
            } catch {
                faults.append(error)
            }
        }
        return faults
    }

    var disabledOperations: Set<Operation> {
        Set(Operation.allCases.filter { (operations[$0]?.level ?? table.level) == .disabled })
    }
}

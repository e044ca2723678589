import Access
import Tables

/// Who may do what with a table, as its definition says: an operation's level beats the table's, and `access` beats
/// the booleans `authorize` and `disable`, as in the Node SDK.
struct TableAccess {
    private struct Rule {
        var access: AccessLevel?
        var isAuthorized = false
        var isDisabled = false

        var level: AccessLevel? { access ?? (isDisabled ? .disabled : isAuthorized ? .authenticated : nil) }

        mutating func apply(_ member: WrittenValue.Member) throws(ConfigurationFault) {
            let value = member.value
            switch member.name {
            case "access": access = try value.choice(of: AccessLevel.self)
            case "authorize": isAuthorized = try value.boolean()
            case "disable": isDisabled = try value.boolean()
            default: throw .unknownKey(member, among: ["access", "authorize", "disable"])
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

    var rules: AccessRules {
        AccessRules(everyOperation: table.level ?? .anonymous, perOperation: operations.compactMapValues(\.level))
    }
}

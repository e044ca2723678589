import OData
package import TableOperations
import Tables
package import Webhooks

/// Describes the behaviour of a table beyond storing rows, for operators.
package enum BehaviourSummary {
    /// Returns a few words for each trait; empty for a table that only stores rows.
    package static func traits(_ behaviour: TableBehaviour, _ webhook: Webhook?) -> [String] {
        var traits: [String] = []
        if let owner = behaviour.ownerColumn { traits.append("rows per user in \(owner)") }
        if let visible = behaviour.rule?.visible { traits.append("visible where \(visible.text)") }
        if let writable = behaviour.rule?.writable { traits.append("writable where \(writable.text)") }
        if let lifetime = behaviour.lifetime { traits.append("rows expire after \(words(lifetime))") }
        switch behaviour.conflictPolicy {
        case .client: break
        case .clientWins: traits.append("the client wins conflicts")
        case .serverWins: traits.append("the server wins conflicts")
        }
        if behaviour.takesConflictPolicy { traits.append("conflictPolicy by parameter") }
        if !behaviour.required.isEmpty {
            traits.append("required " + behaviour.required.map(\.name.text).joined(separator: " and "))
        }
        if behaviour.echoesParameters { traits.append("keeps no rows and echoes parameters") }
        if behaviour.showsIdentities { traits.append("shows the caller's identities") }
        if let webhook {
            let operations = Operation.allCases.filter { webhook.operations.contains($0) }.map(\.rawValue)
            let signed = webhook.secret == nil ? "unsigned" : "signed"
            let events = operations.joined(separator: " and ")
            traits.append("webhook at \(webhook.address.authority) on \(events), \(signed)")
        }
        return traits
    }

    private static func words(_ lifetime: RowLifetime) -> String {
        var words: [String] = []
        if lifetime.months > 0 { words.append(counted(lifetime.months, "month")) }
        let units: [(length: Int64, name: String)] = [
            (86_400_000, "day"), (3_600_000, "hour"), (60_000, "minute"), (1_000, "second"), (1, "millisecond"),
        ]
        if let unit = units.first(where: { lifetime.milliseconds > 0 && lifetime.milliseconds % $0.length == 0 }) {
            words.append(counted(Int(lifetime.milliseconds / unit.length), unit.name))
        }
        return words.joined(separator: " and ")
    }

    private static func counted(_ count: Int, _ name: String) -> String {
        "\(count) \(name)\(count == 1 ? "" : "s")"
    }
}

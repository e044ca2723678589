import Tables
import Webhooks

/// Reads a table's webhook: `{ url: "http://…", events: [insert], secret: … }`.
enum WebhookDeclaration {
    /// - Parameter secret: the key for signing notices if the table has none of its own.
    static func read(_ value: ConfigurationValue, secret: WebhookSecret?) throws(ConfigurationFault) -> Webhook {
        var address: HTTPAddress?
        var operations: Set<Operation>?
        var secret = secret
        for member in try value.members() where !member.value.isEmpty {
            switch member.name {
            case "url": address = try Self.address(member.value)
            case "events": operations = try Self.operations(member.value)
            case "secret":
                guard case .text(let text, _) = member.value.form, let own = WebhookSecret(text) else {
                    throw member.value.fault("has to be a text")
                }
                secret = own
            default: throw .unknownKey(member, among: ["url", "events", "secret"])
            }
        }
        guard let address else { throw value.fault("needs a url") }
        guard let operations else { return Webhook(address, secret: secret) }
        return Webhook(address, operations: operations, secret: secret)
    }

    private static func address(_ value: ConfigurationValue) throws(ConfigurationFault) -> HTTPAddress {
        let text = try value.text()
        do throws(HTTPAddress.Fault) {
            return try HTTPAddress(text)
        } catch .encrypted {
            throw value.fault(
                "has to begin with http://: zumod speaks no TLS of its own; name a proxy on this machine that does")
        } catch {
            // The text itself may contain a password.
            throw value.fault("has to be a URL such as http://127.0.0.1:9000/notices, without a user or a password")
        }
    }

    private static func operations(_ value: ConfigurationValue) throws(ConfigurationFault) -> Set<Operation> {
        var operations: Set<Operation> = []
        for item in try value.list() {
            let name = try item.choice(of: WebhookOperation.self).rawValue
            if let operation = Operation(rawValue: name) { operations.insert(operation) }
        }
        guard !operations.isEmpty else { throw value.fault("needs one of insert, update, delete, undelete") }
        return operations
    }

    /// The operations that write.
    private enum WebhookOperation: String, CaseIterable {
        case insert, update, delete, undelete
    }
}

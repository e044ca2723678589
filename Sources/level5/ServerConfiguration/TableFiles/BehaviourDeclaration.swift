import TableOperations
import Tables
import Webhooks

/// The behaviour of a table beyond storing rows, as its definition states it.
struct BehaviourDeclaration {
    private(set) var behaviour = TableBehaviour()
    private(set) var webhook: Webhook?
    /// The key for a webhook that has no secret of its own.
    private let webhookSecret: WebhookSecret?
    private var perUser: ConfigurationValue?
    private var userIDColumn: ConfigurationValue?
    private var rules: [RuleDeclaration] = []
    private var required: [(column: Identifier, value: ConfigurationValue)] = []

    static let keys = [
        "perUser", "userIdColumn", "visible", "writable", "conflictPolicy", "conflictPolicyParameter", "recordsExpire",
        "required", "parameterEcho", "identities", "webhook",
    ]

    init(webhookSecret: WebhookSecret?) {
        self.webhookSecret = webhookSecret
    }

    /// Applies one key; keys other than those above are ignored.
    mutating func apply(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        let value = member.value
        switch member.name {
        case "perUser": perUser = try value.boolean() ? value : nil
        case "userIdColumn":
            _ = try value.text()
            userIDColumn = value
        case "visible", "writable":
            let rule = try RuleDeclaration(value)
            rules.append(rule)
            var both = behaviour.rule ?? RowRule()
            if member.name == "visible" { both.visible = rule.template } else { both.writable = rule.template }
            behaviour.rule = both
        case "conflictPolicy": behaviour.conflictPolicy = try value.choice(of: ConflictPolicy.self)
        case "conflictPolicyParameter": behaviour.takesConflictPolicy = try value.boolean()
        case "recordsExpire": behaviour.lifetime = try LifetimeDeclaration.read(value)
        case "required":
            for column in try value.members() where !column.value.isEmpty {
                guard let name = Identifier(column.name), SystemColumn(named: column.name) == nil else {
                    throw column.value.fault("has to be one of the table's own columns")
                }
                try require(name, column.value)
            }
        case "parameterEcho": behaviour.echoesParameters = try value.boolean()
        case "identities": behaviour.showsIdentities = try value.boolean()
        case "webhook": webhook = try WebhookDeclaration.read(value, secret: webhookSecret)
        default: break
        }
    }

    /// Makes a column required, with a message for clients that send no value, or `true` for the default message.
    mutating func require(_ column: Identifier, _ value: ConfigurationValue) throws(ConfigurationFault) {
        let text = try value.text()
        guard case .text(_, quoted: false) = value.form, ["true", "false"].contains(text) else {
            return append(RequiredColumn(column, message: text), value)
        }
        if text == "true" { append(RequiredColumn(column, message: "The column '\(column)' needs a value."), value) }
    }

    private mutating func append(_ rule: RequiredColumn, _ value: ConfigurationValue) {
        behaviour.required.append(rule)
        required.append((rule.name, value))
    }

    /// Checks the settings against the table's columns, and adds the owner column.
    mutating func finish(_ table: inout TableDefinition) -> [ConfigurationFault] {
        var faults: [ConfigurationFault] = .of(try addOwner(to: &table))
        let before = faults.count
        for rule in rules { faults += .of(try rule.check(in: table)) }
        if faults.count == before, let rule = rules.first {
            faults += .of(try rule.check(with: behaviour, in: table))
        }
        let known = table.columns.map(\.name)
        for (column, value) in required where !table.rules.dynamicSchema && !known.contains(column) {
            let nearest = NearestName.of(column.text, among: known.map(\.text)).map { "; did you mean \($0)?" } ?? ""
            faults.append(value.fault("the table has no column `\(column)`\(nearest)"))
        }
        return faults
    }

    private mutating func addOwner(to table: inout TableDefinition) throws(ConfigurationFault) {
        guard let perUser else { return }
        let text = try userIDColumn?.text() ?? "userId"
        guard let name = Identifier(text), SystemColumn(named: text) == nil else {
            throw (userIDColumn ?? perUser).fault("`\(text)` can't be the column of a row's user")
        }
        behaviour.ownerColumn = name
        guard let known = table.columns.first(where: { $0.name == name }) else {
            table.columns.append(Column(name, .string))
            return
        }
        guard known.type == .string else {
            throw (userIDColumn ?? perUser).fault(
                "the column `\(known.name)` says whose a row is and has to be a string, not a \(known.type.rawValue)")
        }
    }
}

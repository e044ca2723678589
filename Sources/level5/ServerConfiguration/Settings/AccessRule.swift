import Access

/// The access settings in one place of a definition: for everything, or for one operation or verb.
struct AccessRule {
    private var access: (level: AccessLevel, value: ConfigurationValue)?
    private var authorize: (isOn: Bool, value: ConfigurationValue)?
    private var disable: (isOn: Bool, value: ConfigurationValue)?

    static let keys = ["access", "authorize", "disable"]

    mutating func apply(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        let value = member.value
        switch member.name {
        case "access": access = (try value.choice(of: AccessLevel.self), value)
        case "authorize": authorize = (try value.boolean(), value)
        case "disable": disable = (try value.boolean(), value)
        default: throw .unknownKey(member, among: Self.keys)
        }
    }

    /// Whether it has `authorize`, and nothing that overrides it.
    var isAuthorized: Bool { access == nil && disable?.isOn != true && authorize?.isOn == true }

    /// Returns the level under this rule, as in the Node SDK: the specific rule's own `access` decides, otherwise
    /// `disable`, then `authorize`, each from that rule or else from this one, where `access` overrides both.
    func level(under own: AccessRule? = nil) -> EffectiveAccess {
        if let access = own?.access { return EffectiveAccess(level: access.level, value: access.value) }
        let disable = own?.disable ?? access.map { ($0.level == .disabled, $0.value) } ?? disable
        if let disable, disable.isOn { return EffectiveAccess(level: .disabled, value: disable.value) }
        // The SDK had neither of these levels, so its settings can't override them.
        if let access, access.level == .admin { return EffectiveAccess(level: .admin, value: access.value) }
        let authorize = own?.authorize ?? access.map { ($0.level == .authenticated, $0.value) } ?? authorize
        if let authorize, authorize.isOn { return EffectiveAccess(level: .authenticated, value: authorize.value) }
        if let access, access.level == .application { return EffectiveAccess(level: .application, value: access.value) }
        return EffectiveAccess(level: .anonymous, value: authorize?.value ?? disable?.value)
    }
}

/// An access level, and the setting that it comes from.
struct EffectiveAccess {
    let level: AccessLevel
    /// nil if there is no setting, so that access is open to everyone.
    let value: ConfigurationValue?
}

extension ConfigurationFault {
    /// A warning that a definition doesn't mention access, on a server that other machines reach.
    static func silentAccess(_ path: String, _ what: String) -> ConfigurationFault {
        .file(
            path, key: "access",
            "is missing, so \(what) is open to everybody who reaches this server; write `access: anonymous` if it is "
                + "meant to be")
    }
}

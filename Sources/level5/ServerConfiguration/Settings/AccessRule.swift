import Access

/// What a definition says about access in one place, for everything or for one operation or verb.
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

    /// Whether it says `authorize` and nothing that beats it.
    var isAuthorized: Bool { access == nil && disable?.isOn != true && authorize?.isOn == true }

    /// The level that counts under this rule, as in the Node SDK: one's own `access`, then `disable` and `authorize`, each of
    /// one's own or everybody's, where `access` beats both.
    func level(under own: AccessRule? = nil) -> EffectiveAccess {
        if let access = own?.access { return EffectiveAccess(level: access.level, value: access.value) }
        let disable = own?.disable ?? access.map { ($0.level == .disabled, $0.value) } ?? disable
        if let disable, disable.isOn { return EffectiveAccess(level: .disabled, value: disable.value) }
        // The SDK had no word for these levels, and so none that opens them.
        if let access, access.level == .admin { return EffectiveAccess(level: .admin, value: access.value) }
        let authorize = own?.authorize ?? access.map { ($0.level == .authenticated, $0.value) } ?? authorize
        if let authorize, authorize.isOn { return EffectiveAccess(level: .authenticated, value: authorize.value) }
        if let access, access.level == .application { return EffectiveAccess(level: .application, value: access.value) }
        return EffectiveAccess(level: .anonymous, value: authorize?.value ?? disable?.value)
    }
}

/// A level, and what says it.
struct EffectiveAccess {
    let level: AccessLevel
    /// nil if nothing is said, and everybody is let in.
    let value: ConfigurationValue?
}

extension ConfigurationFault {
    /// A warning that a definition says nothing of access on a server that others reach.
    static func silentAccess(_ path: String, _ what: String) -> ConfigurationFault {
        .file(
            path, key: "access",
            "is missing, so \(what) is open to everybody who reaches this server; write `access: anonymous` if it is "
                + "meant to be")
    }
}

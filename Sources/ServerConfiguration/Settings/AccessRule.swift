import Access

/// What a definition says of access in one place: `access` beats the booleans `authorize` and `disable`, as in the Node
/// SDK.
struct AccessRule {
    private var access: AccessLevel?
    private var isAuthorized = false
    private var isDisabled = false

    /// nil where nothing is said.
    var level: AccessLevel? { access ?? (isDisabled ? .disabled : isAuthorized ? .authenticated : nil) }

    static let keys = ["access", "authorize", "disable"]

    mutating func apply(_ member: WrittenValue.Member) throws(ConfigurationFault) {
        let value = member.value
        switch member.name {
        case "access": access = try value.choice(of: AccessLevel.self)
        case "authorize": isAuthorized = try value.boolean()
        case "disable": isDisabled = try value.boolean()
        default: throw .unknownKey(member, among: Self.keys)
        }
    }
}

extension ConfigurationFault {
    /// A warning that a definition says nothing of access on a server that others reach.
    static func silentAccess(_ path: String, _ what: String) -> ConfigurationFault {
        ConfigurationFault(
            .file(path, line: 0), key: "access",
            "is missing, so \(what) is open to everybody who reaches this server; write `access: anonymous` if it is "
                + "meant to be")
    }
}

extension ConfigurationFault {
    static func unknownKey(_ member: ConfigurationValue.Member, among known: [String]) -> ConfigurationFault {
        let nearest = NearestName.of(member.name, among: known) ?? ""
        let group = member.value.key.dropLast(member.name.count)
        let shown = shownName(of: member)
        return ConfigurationFault(
            member.value.origin, key: group + shown, "unknown key; did you mean \(group)\(nearest)?")
    }

    /// Returns the part of the name that may be shown. If a colon or a space is missing, the name contains what was
    /// meant as the value, which may be a secret.
    private static func shownName(of member: ConfigurationValue.Member) -> String {
        let shown = member.name.prefix(40).prefix {
            $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-")
        }
        if member.value.isEmpty { return "…" }
        return shown.count == member.name.count ? String(shown) : shown + "…"
    }
}

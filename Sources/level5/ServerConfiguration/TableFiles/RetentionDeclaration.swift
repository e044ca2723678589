/// Reads how long a table's tombstones are kept: `{ keepDays: 30 }`.
enum RetentionDeclaration {
    /// Devices that are offline for longer miss deletes, so less than a day makes no sense.
    private static let days = 1...36_500

    static func read(_ value: ConfigurationValue) throws(ConfigurationFault) -> Duration? {
        var keep: Duration?
        for member in try value.members() {
            guard member.name == "keepDays" else { throw .unknownKey(member, among: ["keepDays"]) }
            if !member.value.isEmpty { keep = .seconds(86_400 * (try member.value.whole(in: days))) }
        }
        return keep
    }
}

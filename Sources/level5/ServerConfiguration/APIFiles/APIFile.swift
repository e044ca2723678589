import Access
import CustomAPI

/// Reads the definition of a built-in API.
struct APIFile {
    let path: String
    private(set) var faults: [ConfigurationFault] = []
    /// The API that the file defines; nil if there is anything wrong with it.
    private(set) var api: ConfiguredAPI?

    private let name: String
    private var kind: BuiltInAPI?
    private var every = AccessRule()
    private var perVerb: [APIVerb: AccessRule] = [:]

    init(directory: String, entry: String) {
        path = "\(directory)/\(entry)"
        name = String(entry[..<(entry.lastIndex(of: ".") ?? entry.endIndex)])
    }

    /// Whether a verb is open to everyone because the file doesn't mention its access.
    var isSilent: Bool {
        APIVerb.allCases.contains { every.level(under: perVerb[$0]).value == nil }
    }

    private static let keys = ["kind"] + AccessRule.keys + APIVerb.allCases.map(\.rawValue)

    mutating func read() {
        guard APIDefinition.canBeNamed(name) else {
            let sentence = "an API's name has to be a letter or _ and then letters, digits, - _ and ."
            return faults.append(.file(path, sentence))
        }
        var members: [ConfigurationValue.Member] = []
        faults += .of(members = try YAMLFile.members(of: path))
        for member in members where !member.value.isEmpty { faults += .of(try apply(member)) }
        guard faults.isEmpty else { return }
        guard let kind else {
            let kinds = BuiltInAPI.allCases.map(\.rawValue).joined(separator: ", ")
            return faults.append(.file(path, key: "kind", "has to be one of \(kinds)"))
        }
        api = ConfiguredAPI(
            name: name, kind: kind, access: every.level().level,
            // `authorize` on a verb opens it to users even if the others are disabled.
            accessPerVerb: perVerb.mapValues { $0.isAuthorized ? .authenticated : every.level(under: $0).level })
    }

    private mutating func apply(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        if member.name == "kind" {
            kind = try member.value.choice(of: BuiltInAPI.self)
        } else if let verb = APIVerb(rawValue: member.name) {
            for rule in try member.value.members() where !rule.value.isEmpty {
                try perVerb[verb, default: AccessRule()].apply(rule)
            }
        } else if AccessRule.keys.contains(member.name) {
            try every.apply(member)
        } else {
            throw .unknownKey(member, among: Self.keys)
        }
    }
}

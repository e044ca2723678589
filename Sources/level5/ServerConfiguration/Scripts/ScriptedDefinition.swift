import ByteText
import JSONText
import Scripts
import Tables

extension ScriptedTable {
    /// Returns what the project says about its table, in the form of a definition file.
    /// - Parameter root: the project's folder.
    func written(in root: String) throws(ConfigurationFault) -> [ConfigurationValue.Member] {
        try YAMLFile.parse(text, path: "\(root)/\(file)").members().map { placed($0, in: root) }
    }

    /// Whether the script belongs to the configuration file next to it, whatever name that gives its table.
    func isBeside(_ stem: String, _ project: ScriptProject) -> Bool {
        if let name = Identifier(stem), name == Identifier(self.name) { return true }
        return project.form == .config && file.lowercased() == "tables/\(stem.lowercased()).js"
    }

    private var text: String {
        guard case .object(let members) = definition else { return "{}" }
        var written: [JSONMember] = []
        for member in members {
            guard member.name == "access", case .object(let operations) = member.value else {
                written.append(member)
                continue
            }
            for operation in operations {
                written.append(JSONMember(operation.name, .object([JSONMember("access", operation.value)])))
            }
        }
        if !written.contains(where: { $0.name == "name" }) { written.append(JSONMember("name", .string(name))) }
        return JSONValue.object(written).jsonText
    }

    /// Returns the member with its known position, or otherwise that of the whole file.
    private func placed(_ member: ConfigurationValue.Member, in root: String) -> ConfigurationValue.Member {
        let value = member.value
        let place = places.first { $0.name == value.key }
        let origin = Origin.file("\(root)/\(place?.file ?? file)", line: place?.line ?? 0)
        guard case .members(let members) = value.form else {
            return ConfigurationValue.Member(
                name: member.name, value: ConfigurationValue(form: value.form, origin: origin, key: value.key))
        }
        let form = ConfigurationValue.Form.members(members.map { placed($0, in: root) })
        return ConfigurationValue.Member(
            name: member.name, value: ConfigurationValue(form: form, origin: origin, key: value.key))
    }
}

extension [ConfigurationValue.Member] {
    /// Returns these members overridden by others, key by key, as JSON files overrode modules in the Node SDK.
    func overlaid(by others: [ConfigurationValue.Member]) -> [ConfigurationValue.Member] {
        let kept = map { member in
            guard let other = others.first(where: { $0.name.isExactly(member.name) }), !other.value.isEmpty else {
                return member
            }
            guard case .members(let mine) = member.value.form, case .members(let theirs) = other.value.form else {
                return other
            }
            let form = ConfigurationValue.Form.members(mine.overlaid(by: theirs))
            let value = ConfigurationValue(form: form, origin: other.value.origin, key: other.value.key)
            return ConfigurationValue.Member(name: member.name, value: value)
        }
        return kept + others.filter { other in !contains { $0.name.isExactly(other.name) } }
    }
}

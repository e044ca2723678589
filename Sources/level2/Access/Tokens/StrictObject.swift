internal import JSONText

/// A JSON object in which no object, itself included, has two members of one name.
struct StrictObject {
    enum Fault: Error {
        case notAnObject, duplicateMember
    }

    let members: [String: JSONValue]

    init(text: [UInt8]) throws(Fault) {
        let value: JSONValue
        do { value = try JSONReader.parse(text) } catch { throw .notAnObject }
        try self.init(value)
    }

    init(_ value: JSONValue) throws(Fault) {
        guard case .object(let list) = value else { throw .notAnObject }
        var members: [String: JSONValue] = [:]
        for member in list {
            try Self.refuseDuplicates(in: member.value)
            guard members.updateValue(member.value, forKey: member.name) == nil else { throw .duplicateMember }
        }
        self.members = members
    }

    subscript(name: String) -> JSONValue? { members[name] }

    /// A member that is text; nil if it is something else, too.
    func text(_ name: String) -> String? {
        if case .string(let text) = members[name] { text } else { nil }
    }

    /// Whether a member says no; some write booleans as texts or numbers.
    func isDenied(_ name: String) -> Bool {
        switch members[name] {
        case .boolean(let yes): !yes
        case .integer(let number): number == 0
        case .string(let text): ["false", "0"].contains(text.lowercased())
        default: false
        }
    }

    /// Whether a member says yes.
    func isAffirmed(_ name: String) -> Bool {
        switch members[name] {
        case .boolean(let yes): yes
        case .integer(let number): number == 1
        case .string(let text): ["true", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// A member as the log shows it.
    func shown(_ name: String) -> String {
        guard let value = members[name] else { return "absent" }
        var json = JSONWriter()
        json.value(value)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    private static func refuseDuplicates(in value: JSONValue) throws(Fault) {
        switch value {
        case .object: _ = try StrictObject(value)
        case .array(let elements): for element in elements { try refuseDuplicates(in: element) }
        case .null, .boolean, .integer, .number, .precise, .string: break
        }
    }
}

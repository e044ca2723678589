internal import JSONText

/// A JSON object in which no object, itself included, has duplicate member names.
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

    /// Returns a text member; nil if it is absent or something else.
    func text(_ name: String) -> String? {
        if case .string(let text) = members[name] { text } else { nil }
    }

    /// Returns whether a member is present and false.
    func isDenied(_ name: String) -> Bool { truth(name) == false }

    /// Returns whether a member is present and true.
    func isAffirmed(_ name: String) -> Bool { truth(name) == true }

    /// Reads a boolean; some issuers write it as text or a number.
    private func truth(_ name: String) -> Bool? {
        switch members[name] {
        case .boolean(let isTrue): isTrue
        case .integer(0): false
        case .integer(1): true
        case .string(let text): ["false": false, "0": false, "true": true, "1": true][text.lowercased()]
        default: nil
        }
    }

    /// Returns a member's value for the log.
    func shown(_ name: String) -> String {
        members[name]?.jsonText ?? "absent"
    }

    private static func refuseDuplicates(in value: JSONValue) throws(Fault) {
        switch value {
        case .object: _ = try StrictObject(value)
        case .array(let elements): for element in elements { try refuseDuplicates(in: element) }
        case .null, .boolean, .integer, .number, .precise, .string: break
        }
    }
}

import ByteText
import JSONText
import ZumoProtocol

/// The members of a test's request body. Each is taken once; what is left at the end is a mistake.
struct JSONMembers {
    private var members: [JSONMember]

    /// The members not taken yet.
    var rest: [JSONMember] { members }

    /// Reads an object; an empty body counts as an object without members.
    init(of body: [UInt8]) throws(RecordFault) {
        guard !body.isEmpty else {
            members = []
            return
        }
        guard case .object(let members) = try RecordFault.parse(body) else {
            throw .body("The body has to be a JSON object.")
        }
        self.members = members
    }

    /// - Parameters:
    ///   - expected: what the value has to be, in words.
    ///   - read: returns nil for any other value.
    /// - Returns: nil if the member is missing or null.
    private mutating func take<Found>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Found?
    ) throws(RecordFault) -> Found? {
        guard let value = members.last(where: { $0.name.isExactly(name) })?.value else { return nil }
        members.removeAll { $0.name.isExactly(name) }
        if value == .null { return nil }
        guard let found = read(value) else { throw .body("'\(name)' has to be \(expected).") }
        return found
    }

    /// Takes a text; nil if it is missing.
    mutating func text(_ name: String) throws(RecordFault) -> String? {
        try take(name, "a text", \.textValue)
    }

    /// Takes a Boolean; nil if it is missing.
    mutating func boolean(_ name: String) throws(RecordFault) -> Bool? {
        try take(name, "true or false", \.booleanValue)
    }

    /// Takes a whole number; nil if it is missing.
    mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(RecordFault) -> Int64? {
        try take(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            if case .integer(let number) = value, range.contains(number) { number } else { nil }
        }
    }

    /// Takes any number; nil if it is missing.
    mutating func number(_ name: String) throws(RecordFault) -> Double? {
        try take(name, "a number", \.numberValue)
    }

    /// Takes the members of an object; nil if it is missing.
    mutating func object(_ name: String) throws(RecordFault) -> [JSONMember]? {
        try take(name, "an object") { value in
            if case .object(let members) = value { members } else { nil }
        }
    }

    /// Takes one of several words; nil if it is missing.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(RecordFault) -> Choice? {
        guard let text = try text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw .body("'\(name)' has to be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    /// Throws if a member is left that was not taken.
    func end() throws(RecordFault) {
        guard let rest = members.first else { return }
        throw .body("There is no member '\(ErrorBody.excerpt(rest.name))'.")
    }
}

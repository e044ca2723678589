import ByteText
import JSONText
import ZumoProtocol

/// The members of a body that tests send, each taken once, so that what is left is known to be a mistake.
struct JSONMembers {
    private var members: [JSONMember]

    /// Those that were not taken yet.
    var rest: [JSONMember] { members }

    /// Reads an object; an empty body is one without members.
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
    ///   - expected: what the member has to be, in words.
    ///   - read: nil for anything else.
    /// - Returns: nil if there is none, or null.
    private mutating func take<Found>(
        _ name: String, _ expected: String, _ read: (JSONValue) -> Found?
    ) throws(RecordFault) -> Found? {
        guard let value = members.last(where: { $0.name.isExactly(name) })?.value else { return nil }
        members.removeAll { $0.name.isExactly(name) }
        if value == .null { return nil }
        guard let found = read(value) else { throw .body("'\(name)' has to be \(expected).") }
        return found
    }

    /// A text; nil if there is none.
    mutating func text(_ name: String) throws(RecordFault) -> String? {
        try take(name, "a text", \.textValue)
    }

    /// A boolean; nil if there is none.
    mutating func boolean(_ name: String) throws(RecordFault) -> Bool? {
        try take(name, "true or false", \.booleanValue)
    }

    /// A whole number; nil if there is none.
    mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(RecordFault) -> Int64? {
        try take(name, "a whole number from \(range.lowerBound) to \(range.upperBound)") { value in
            if case .integer(let number) = value, range.contains(number) { number } else { nil }
        }
    }

    /// Any number; nil if there is none.
    mutating func number(_ name: String) throws(RecordFault) -> Double? {
        try take(name, "a number", \.numberValue)
    }

    /// An object's members; nil if there is none.
    mutating func object(_ name: String) throws(RecordFault) -> [JSONMember]? {
        try take(name, "an object") { value in
            if case .object(let members) = value { members } else { nil }
        }
    }

    /// One of several words; nil if there is none.
    mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, of type: Choice.Type
    ) throws(RecordFault) -> Choice? {
        guard let text = try text(name) else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        throw .body("'\(name)' has to be one of \(Choice.allCases.map(\.rawValue).joined(separator: ", ")).")
    }

    /// Refuses members that nobody asked for.
    func end() throws(RecordFault) {
        guard let rest = members.first else { return }
        throw .body("There is no member '\(ErrorBody.excerpt(rest.name))'.")
    }
}

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

    private mutating func take(_ name: String) -> JSONValue? {
        guard let value = members.last(where: { $0.name.isExactly(name) })?.value else { return nil }
        members.removeAll { $0.name.isExactly(name) }
        return value == .null ? nil : value
    }

    /// A text; nil if there is none.
    mutating func text(_ name: String) throws(RecordFault) -> String? {
        switch take(name) {
        case nil: return nil
        case .string(let text): return text
        default: throw .body("'\(name)' has to be a text.")
        }
    }

    /// A boolean; nil if there is none.
    mutating func boolean(_ name: String) throws(RecordFault) -> Bool? {
        switch take(name) {
        case nil: return nil
        case .boolean(let value): return value
        default: throw .body("'\(name)' has to be true or false.")
        }
    }

    /// A whole number; nil if there is none.
    mutating func whole(_ name: String, in range: ClosedRange<Int64>) throws(RecordFault) -> Int64? {
        switch take(name) {
        case nil: return nil
        case .integer(let number) where range.contains(number): return number
        default: throw .body("'\(name)' has to be a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
    }

    /// Any number; nil if there is none.
    mutating func number(_ name: String) throws(RecordFault) -> Double? {
        switch take(name) {
        case nil: return nil
        case .integer(let number): return Double(number)
        case .number(let number), .precise(_, let number): return number
        default: throw .body("'\(name)' has to be a number.")
        }
    }

    /// An object's members; nil if there is none.
    mutating func object(_ name: String) throws(RecordFault) -> [JSONMember]? {
        switch take(name) {
        case nil: return nil
        case .object(let members): return members
        default: throw .body("'\(name)' has to be an object.")
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

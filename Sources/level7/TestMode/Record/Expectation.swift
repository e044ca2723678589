import JSONText
import ZumoProtocol

/// Which requests a test expects, and how many.
struct Expectation: Sendable {
    var method: String?
    var path: PathGlob?
    var headers: [HeaderRule] = []
    var bodyContains: [ByteSearch] = []
    var times = Times(least: 1, most: nil)

    /// How many requests are expected.
    struct Times: Sendable {
        var least: Int
        /// nil for no maximum.
        var most: Int?

        func holds(for count: Int) -> Bool { count >= least && count <= most ?? count }

        var words: String {
            switch most {
            case nil: "at least \(least)"
            case least?: "exactly \(least)"
            case let most? where least == 0: "at most \(most)"
            case let most?: "at least \(least) and at most \(most)"
            }
        }
    }

    /// What a header field of a request has to contain.
    struct HeaderRule: Sendable {
        let name: String
        let test: Test

        enum Test: Sendable {
            case equals(String)
            case contains(ByteSearch)
            case absent, present
        }
    }

    /// The maximum number of texts, each of which is searched for in every body of the record.
    private static let mostTexts = 64

    /// Reads an expectation from the body of a request.
    init(_ body: [UInt8]) throws(RecordFault) {
        guard case .object(let members) = try RecordFault.parse(body) else {
            throw .body("The body has to be one JSON object.")
        }
        for member in members {
            switch member.name {
            case "method": method = try Self.text(member.value, "method")
            case "path":
                path = PathGlob(try Self.text(member.value, "path"))
                if path == nil { throw .body("'path' is longer than \(PathGlob.maximumLength) bytes.") }
            case "headers": headers = try Self.headers(member.value)
            case "bodyContains": bodyContains = try Self.texts(member.value)
            case "times": times = try Self.times(member.value)
            default: throw .body("There is no member '\(ErrorBody.excerpt(member.name))'.")
            }
        }
    }

    private static func text(_ value: JSONValue, _ name: String) throws(RecordFault) -> String {
        guard let text = value.textValue else { throw .body("'\(name)' has to be a text.") }
        return text
    }

    private static func texts(_ value: JSONValue) throws(RecordFault) -> [ByteSearch] {
        var searches: [ByteSearch] = []
        for element in value.elements ?? [value] {
            guard let text = element.textValue else { throw .body("'bodyContains' has to be a text, or several.") }
            searches.append(ByteSearch(text))
        }
        guard searches.count <= mostTexts else { throw .body("'bodyContains' has more than \(mostTexts) texts.") }
        return searches
    }

    private static func headers(_ value: JSONValue) throws(RecordFault) -> [HeaderRule] {
        guard case .object(let members) = value else { throw .body("'headers' has to be an object.") }
        guard members.count <= mostTexts else { throw .body("'headers' has more than \(mostTexts) members.") }
        var rules: [HeaderRule] = []
        for member in members {
            if let text = member.value.textValue {
                rules.append(HeaderRule(name: member.name, test: .equals(text)))
                continue
            }
            let place = "headers.\(ErrorBody.excerpt(member.name))"
            guard case .object(let tests) = member.value, !tests.isEmpty else {
                throw .body("'\(place)' has to be a text, or an object that says contains, equals or absent.")
            }
            for test in tests {
                rules.append(HeaderRule(name: member.name, test: try Self.test(test, place)))
            }
        }
        return rules
    }

    private static func test(_ member: JSONMember, _ place: String) throws(RecordFault) -> HeaderRule.Test {
        switch member.name {
        case "contains": return .contains(ByteSearch(try text(member.value, place + ".contains")))
        case "equals": return .equals(try text(member.value, place + ".equals"))
        case "absent":
            guard let isAbsent = member.value.booleanValue else {
                throw .body("'\(place).absent' has to be true or false.")
            }
            return isAbsent ? .absent : .present
        default: throw .body("There is no member '\(place).\(ErrorBody.excerpt(member.name))'.")
        }
    }

    private static func times(_ value: JSONValue) throws(RecordFault) -> Times {
        guard case .object(let members) = value else {
            let count = try count(value, "times")
            return Times(least: count, most: count)
        }
        var times = Times(least: 0, most: nil)
        for member in members {
            switch member.name {
            case "atLeast": times.least = try count(member.value, "times.atLeast")
            case "atMost": times.most = try count(member.value, "times.atMost")
            default: throw .body("There is no member 'times.\(ErrorBody.excerpt(member.name))'.")
            }
        }
        return times
    }

    private static func count(_ value: JSONValue, _ name: String) throws(RecordFault) -> Int {
        guard let number = value.integerValue, number >= 0, let count = Int(exactly: number) else {
            throw .body("'\(name)' has to be a whole number that is not negative.")
        }
        return count
    }
}

import ByteText
import Exchanges
import HTTPModel
import JSONText
import Scalars
import ZumoProtocol

/// Compares an answer with the archive's, and learns from both which values correspond.
struct ResponseComparison {
    private var translation: ReplayTranslation
    private let asked: Asked
    private var differences: [String] = []

    /// The maximum number of differences reported for one answer.
    private static let mostDifferences = 20

    /// The request that both answers belong to.
    struct Asked {
        /// The target in the archive and the one now.
        let targets: (was: String, now: String)
        /// The table in the target, in lower case; nil if there is none.
        let table: String?
    }

    /// - Returns: the differences, in words. The translation is extended by what the answers teach.
    static func differences(
        was: HARResponse, is now: HTTPResponse, to asked: Asked, teaching translation: inout ReplayTranslation
    ) -> [String] {
        var comparison = ResponseComparison(translation: translation, asked: asked)
        // Moved rather than shared, so that learning copies nothing.
        translation = ReplayTranslation()
        comparison.compare(was, now)
        translation = comparison.translation
        return comparison.differences
    }

    private init(translation: ReplayTranslation, asked: Asked) {
        self.translation = translation
        self.asked = asked
    }

    private mutating func tell(_ place: String, _ was: @autoclosure () -> String, _ now: @autoclosure () -> String) {
        if differences.count == Self.mostDifferences { differences.append("and more") }
        guard differences.count < Self.mostDifferences else { return }
        differences.append("\(place): was \(was()), is \(now())")
    }

    // MARK: - Heads

    private mutating func compare(_ was: HARResponse, _ now: HTTPResponse) {
        if was.status != now.status.rawValue { tell("status", "\(was.status)", "\(now.status.rawValue)") }
        compareTypes(was, now)
        learnFields(was, now)
        guard let body = was.body, let newBody = RecordedBody(now.body).isStreamed ? nil : now.body.joined else {
            return
        }
        compareBodies(body, newBody)
    }

    private mutating func compareTypes(_ was: HARResponse, _ now: HTTPResponse) {
        // Tools give empty bodies a type of their own.
        if was.body?.isEmpty == true, now.body.length == 0 { return }
        let (type, newType) = (was.contentType, now.fields["Content-Type"])
        if type.map(Self.normal) != newType.map(Self.normal) {
            tell("Content-Type", ErrorBody.excerpt(type ?? "none"), ErrorBody.excerpt(newType ?? "none"))
        }
    }

    private static func normal(_ type: String) -> String {
        type.lowercased().filter { $0 != " " && $0 != "\"" }
    }

    private mutating func learnFields(_ was: HARResponse, _ now: HTTPResponse) {
        if let tag = was["ETag"].flatMap(Self.tag) {
            if let newTag = now.fields["ETag"].flatMap(Self.tag) {
                compareMade("ETag", tag, newTag)
            } else {
                tell("ETag", ErrorBody.excerpt(tag), "absent")
            }
        }
        if let date = was["Last-Modified"], let newDate = now.fields["Last-Modified"] {
            translation.learnHTTPDate(date, is: newDate)
        }
        if let link = was["Link"], let newLink = now.fields["Link"] {
            translation.learnLink(link, is: newLink, targets: asked.targets)
        }
    }

    /// Returns the text between the quotes of an entity tag, which is the row's version.
    private static func tag(_ field: String) -> String? {
        let text = field.hasPrefix("W/") ? field.dropFirst(2) : field[...]
        let tag = text.hasPrefix("\"") && text.hasSuffix("\"") ? text.dropFirst().dropLast() : text
        return tag.isEmpty ? nil : String(tag)
    }

    // MARK: - Bodies

    private mutating func compareBodies(_ was: [UInt8], _ now: [UInt8]) {
        if was == now, was.isEmpty { return }
        if let json = try? JSONReader.parse(was, loneSurrogates: .replaced), let newJSON = try? JSONReader.parse(now) {
            compare(json, newJSON, "body", named: "")
        } else if was != now {
            tell("body", Self.excerpt(was), Self.excerpt(now))
        }
    }

    private static func excerpt(_ body: [UInt8]) -> String {
        if body.isEmpty { return "empty" }
        guard let text = RecordedBody(body).text else { return "\(body.count) bytes that are no text" }
        return "'\(ErrorBody.excerpt(text))'"
    }

    private static func excerpt(_ json: JSONValue) -> String {
        ErrorBody.excerpt(json.jsonText)
    }

    /// - Parameter name: the member that the values belong to; empty if there is none.
    private mutating func compare(_ was: JSONValue, _ now: JSONValue, _ place: String, named name: String) {
        switch (was, now) {
        case (.object(let members), .object(let newMembers)):
            compare(members, newMembers, place)
        case (.array(let elements), .array(let newElements)):
            if elements.count != newElements.count {
                tell(place, "\(elements.count) elements", "\(newElements.count) elements")
            }
            for (index, pair) in zip(elements, newElements).enumerated() {
                compare(pair.0, pair.1, Self.place(place, "\(index)"), named: "")
            }
        case (.string(let text), .string(let newText)):
            compare(text, newText, place, named: name)
        case (.integer(let number), .integer(let newNumber)) where name == "id":
            compareIDs(number, newNumber, place)
        default:
            if was != now, was.numberValue == nil || was.numberValue != now.numberValue {
                tell(place, Self.excerpt(was), Self.excerpt(now))
            }
        }
    }

    private mutating func compare(_ members: [JSONMember], _ newMembers: [JSONMember], _ place: String) {
        let values = Dictionary(members.map { (ExactText($0.name), $0.value) }) { $1 }
        let newValues = Dictionary(newMembers.map { (ExactText($0.name), $0.value) }) { $1 }
        // Each name once, in the archive's order.
        var seen: Set<ExactText> = []
        for member in members + newMembers where seen.insert(ExactText(member.name)).inserted {
            let place = Self.place(place, member.name)
            switch (values[ExactText(member.name)], newValues[ExactText(member.name)]) {
            case (let value?, let newValue?): compare(value, newValue, place, named: Self.system(member.name))
            case (let value?, nil): tell(place, Self.excerpt(value), "absent")
            case (nil, let newValue?): tell(place, "absent", Self.excerpt(newValue))
            case (nil, nil): continue
            }
        }
    }

    /// Returns a member's place as a JSON pointer.
    private static func place(_ place: String, _ name: String) -> String {
        place + (place == "body" ? " /" : "/")
            + ErrorBody.excerpt(name).replacing("~", with: "~0").replacing("/", with: "~1")
    }

    /// Normalizes a name: v1 has system columns with two leading underscores, and .NET servers varied in case.
    private static func system(_ name: String) -> String {
        (name.hasPrefix("__") ? String(name.dropFirst(2)) : name).lowercased()
    }

    private mutating func compare(_ was: String, _ now: String, _ place: String, named name: String) {
        switch name {
        case "id" where !translation.isSent(was):
            // v3 has row numbers as text.
            if let number = Int64(was), let newNumber = Int64(now) {
                compareIDs(number, newNumber, place)
            } else {
                compareMade(place, was, now)
            }
        // Another one is a column of the app's own by that name, as v1 clients may have.
        case "version" where [was, now].contains { GeneratedValueKind($0) == .version }: compareMade(place, was, now)
        case "authenticationtoken": compareMade(place, was, now)
        case "createdat", "updatedat": compareDates(was, now, place)
        case "nextlink": translation.learnLink(was, is: now, targets: asked.targets)
        default:
            if !was.isExactly(now), !translation.replaced(in: was).isExactly(now) {
                tell(place, Self.quoted(was), Self.quoted(now))
            }
        }
    }

    private static func quoted(_ text: String) -> String { "\"\(ErrorBody.excerpt(text))\"" }

    /// Compares values that each server generates.
    private mutating func compareMade(_ place: String, _ was: String, _ now: String) {
        let (shape, newShape) = (GeneratedValueKind(was), GeneratedValueKind(now))
        if shape != newShape {
            tell(place, "\(Self.quoted(was)), \(shape.words)", "\(Self.quoted(now)), \(newShape.words)")
        } else if !translation.learn(was, is: now) {
            let expected = translation.value(was).map { ", now \(Self.quoted($0))" } ?? ", another than before"
            tell(place, Self.quoted(was) + expected, Self.quoted(now))
        }
    }

    private mutating func compareDates(_ was: String, _ now: String, _ place: String) {
        let (shape, newShape) = (GeneratedValueKind(was), GeneratedValueKind(now))
        if shape != newShape { tell(place, Self.quoted(was), Self.quoted(now)) }
        if let date = Instant(was), let newDate = Instant(now) { translation.learn(date, is: newDate) }
    }

    private mutating func compareIDs(_ was: Int64, _ now: Int64, _ place: String) {
        let row = ReplayTranslation.NumberedRow(table: asked.table ?? "", id: was)
        let isSame = translation.isSent(row) ? was == now : translation.learn(row, is: now)
        if !isSame { tell(place, "\(was)", "\(now)") }
    }
}

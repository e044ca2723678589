import Exchanges
import HTTPModel
import JSONText

/// The values that the server made, and the placeholders by which a golden case has them.
///
/// A value is taken where an answer says what it is: ETag and Last-Modified, the system columns, a link's token, the
/// token of a login. Wherever it occurs afterwards, its placeholder stands for it. Ids that the client chose are none
/// of these.
struct CaseCaptures {
    private var counts: [String: Int] = [:]
    /// The placeholder of a value, by what it is the value of; of two tables both may have one stamp by chance.
    private var names: [Key: String] = [:]
    /// The last placeholder of a value, whatever it was the value of.
    private var lastNames: [String: String] = [:]
    /// Ids that a client sent before the server had answered them.
    private var sent: Set<String> = []

    private struct Key: Hashable {
        let scope: String
        let value: String
    }

    /// Shorter tokens might occur by chance.
    private static let leastToken = 8

    /// Takes note of what a client sends, which is no value of the server's making.
    mutating func notice(_ request: Exchange) {
        for bytes in [request.target, request.body.bytes] {
            for start in bytes.indices where ValueShape.uuid.begins(bytes, at: start) {
                let id = Self.text(bytes, start, ValueShape.uuid.length)
                if lastNames[id] == nil { sent.insert(id) }
            }
        }
    }

    /// Takes the values of an answer.
    /// - Parameter json: its body; nil where that is no JSON.
    mutating func take(from answer: ExchangeAnswer, to request: Exchange, json: JSONValue?) {
        let table = request.table?.lowercased() ?? ""
        var version = "\(request.number)"
        if let tag = answer.fields["ETag"], tag.hasPrefix("\""), tag.hasSuffix("\"") {
            let text = String(tag.dropFirst().dropLast())
            if ValueShape.version.isShape(of: text) {
                version = text
                take(text, as: "version")
            }
        }
        if let date = answer.fields["Last-Modified"], ValueShape.second.isShape(of: date) {
            // Two rows may be written in one second, so it belongs to the version.
            take(date, as: "second", of: version)
        }
        for link in answer.fields.values("Link") { takeToken(ofLink: link) }
        if let json { take(from: json, table: table) }
    }

    private mutating func take(from json: JSONValue, table: String) {
        switch json {
        case .array(let elements):
            for element in elements { take(from: element, table: table) }
        case .object(let members):
            for member in members {
                guard let text = member.value.textValue else {
                    take(from: member.value, table: table)
                    continue
                }
                take(text, ofMember: member.name, table: table)
            }
        default: return
        }
    }

    private mutating func take(_ text: String, ofMember name: String, table: String) {
        // v1 has the system columns behind two underscores.
        switch name.hasPrefix("__") ? String(name.dropFirst(2)) : name {
        case "version" where ValueShape.version.isShape(of: text): take(text, as: "version")
        case "createdAt" where ValueShape.date.isShape(of: text), "updatedAt" where ValueShape.date.isShape(of: text):
            take(text, as: "date", of: table)
        case "id" where ValueShape.uuid.isShape(of: text):
            if !sent.contains(text) { take(text, as: "uuid") }
        case "authenticationToken":
            for part in text.split(separator: ".") where part.utf8.allSatisfy(ValueShape.isTokenByte) {
                takeToken(String(part))
            }
        case "nextLink": takeToken(ofLink: text)
        default: return
        }
    }

    private mutating func takeToken(ofLink link: String) {
        guard let start = link.range(ofLast: "skiptoken=")?.upperBound else { return }
        let rest = link.utf8[start...].prefix(while: ValueShape.isTokenByte)
        takeToken(String(decoding: rest, as: UTF8.self))
    }

    private mutating func takeToken(_ text: String) {
        if text.utf8.count >= Self.leastToken { take(text, as: "token") }
    }

    private mutating func take(_ value: String, as kind: String, of scope: String = "") {
        let key = Key(scope: scope, value: value)
        if let name = names[key] {
            lastNames[value] = name
            return
        }
        counts[kind, default: 0] += 1
        let name = "\(kind)\(counts[kind, default: 0])"
        names[key] = name
        lastNames[value] = name
    }

    /// A text with placeholders for the values that are known.
    /// - Parameters:
    ///   - exchange: the one that the text is of.
    ///   - version: of the row in the answer, where the text is of that.
    func replaced(in text: String, of exchange: Exchange, version: String? = nil) -> String {
        let bytes = Array(text.utf8)
        let table = exchange.table?.lowercased() ?? ""
        var written: [UInt8] = []
        written.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if let (length, placeholder) = placeholder(bytes, at: index, scopes: [table, version ?? ""]) {
                written += Array("{\(placeholder)}".utf8)
                index += length
            } else {
                written.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: written, as: UTF8.self)
    }

    private func placeholder(_ bytes: [UInt8], at start: Int, scopes: [String]) -> (Int, String)? {
        func known(_ shape: ValueShape, _ value: (String) -> String = { $0 }) -> String? {
            guard shape.begins(bytes, at: start) else { return nil }
            let value = value(Self.text(bytes, start, shape.length))
            for scope in scopes { if let name = names[Key(scope: scope, value: value)] { return name } }
            return lastNames[value]
        }
        if let name = known(.version) { return (ValueShape.version.length, name) }
        if let name = known(.uuid) { return (ValueShape.uuid.length, name) }
        if let name = known(.date) { return (ValueShape.date.length, name) }
        if let name = known(.second) { return (ValueShape.second.length, name) }
        if let name = known(.encodedDate, Self.decoded) { return (ValueShape.encodedDate.length, name + " encoded") }
        if let name = known(.ticks, { Self.decoded($0.prefix(27) + "Z") }) {
            return (ValueShape.ticks.length, name + " ticks")
        }
        // A token is all of its run, or it is another one.
        guard start == 0 || !ValueShape.isTokenByte(bytes[start - 1]) else { return nil }
        let length = bytes[start...].prefix(while: ValueShape.isTokenByte).count
        guard length >= Self.leastToken, let name = lastNames[Self.text(bytes, start, length)] else { return nil }
        return (length, name)
    }

    private static func decoded(_ date: some StringProtocol) -> String {
        String(date).split(separator: "%3A").joined(separator: ":")
    }

    private static func text(_ bytes: [UInt8], _ start: Int, _ length: Int) -> String {
        String(decoding: bytes[start..<(start + length)], as: UTF8.self)
    }
}

extension String {
    /// The last occurrence of a text.
    fileprivate func range(ofLast wanted: String) -> Range<Index>? {
        var end = endIndex
        while true {
            if self[..<end].hasSuffix(wanted) { return index(end, offsetBy: -wanted.count)..<end }
            guard end > startIndex else { return nil }
            end = index(before: end)
        }
    }
}

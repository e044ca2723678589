import ByteText
import HTTPModel
import JSONText
import Scalars

/// Maps what the archive's server generated to what this one does: ids, versions, stamps, tokens, links.
struct ReplayTranslation {
    /// The new ids, versions and tokens by the old ones.
    private var texts: [ExactText: String] = [:]
    /// The old value of each new one, since no two old values have the same new one.
    private var origins: [ExactText: String] = [:]
    private var dates: [Instant: Instant] = [:]
    private var httpDates: [ExactText: String] = [:]
    private var links: [ExactText: String] = [:]
    private var numbers: [NumberedRow: Int64] = [:]
    /// Values that the archive's clients chose themselves.
    private var sentTexts: Set<ExactText> = []
    private var sentNumbers: Set<NumberedRow> = []

    struct NumberedRow: Hashable {
        let table: String
        let id: Int64
    }

    // MARK: - Learning

    /// Records the old and the new form of an id, a version or a token.
    /// - Returns: false if they contradict what is already known.
    mutating func learn(_ was: String, is now: String) -> Bool {
        if let known = texts[ExactText(was)] { return known.isExactly(now) }
        guard origins[ExactText(now)] == nil else { return false }
        texts[ExactText(was)] = now
        origins[ExactText(now)] = was
        return true
    }

    mutating func learn(_ row: NumberedRow, is now: Int64) -> Bool {
        if let known = numbers[row] { return known == now }
        numbers[row] = now
        return true
    }

    mutating func learn(_ was: Instant, is now: Instant) {
        dates[was] = now
    }

    mutating func learnHTTPDate(_ was: String, is now: String) {
        httpDates[ExactText(was)] = now
    }

    /// Records the link to a next page. Only its query counts, as the address in front of it may be a proxy's.
    /// - Parameter targets: the targets of the recorded request and of the new one.
    mutating func learnLink(_ was: String, is now: String, targets: (was: String, now: String)) {
        guard let query = Self.query(ofLink: was), let newQuery = Self.query(ofLink: now) else { return }
        let paths = [targets.was, targets.now].map { $0.prefix { $0 != "?" } }
        links[ExactText("\(paths[0])?\(query)")] = "\(paths[1])?\(newQuery)"
    }

    /// Returns the query of a link in a field or a body. Clients of the toolkit send the query alone.
    private static func query(ofLink link: String) -> Substring? {
        // v1 and v2 write the link without angle brackets; others have brackets and put its relation after it.
        let text = link.prefix { $0 != ">" && $0 != ";" }.drop { $0 == "<" }
        if let question = text.firstIndex(of: "?") { return text[text.index(after: question)...] }
        return text.contains("=") ? text : nil
    }

    /// Records the values that a recorded request chose itself.
    mutating func notice(_ target: String, json: JSONValue?) {
        let segments = (try? RequestTarget(Array(target.utf8)))?.segments ?? []
        for segment in segments.map(ExactText.init) where texts[segment] == nil { sentTexts.insert(segment) }
        if segments.count == 3, let id = Int64(segments[2]) {
            let row = NumberedRow(table: segments[1].lowercased(), id: id)
            if numbers[row] == nil { sentNumbers.insert(row) }
        }
        if let json { notice(json) }
    }

    private mutating func notice(_ json: JSONValue) {
        switch json {
        case .string(let text): if texts[ExactText(text)] == nil { sentTexts.insert(ExactText(text)) }
        case .array(let elements): for element in elements { notice(element) }
        case .object(let members): for member in members { notice(member.value) }
        default: return
        }
    }

    /// Returns whether a client of the archive chose the text, so that it must not change.
    func isSent(_ text: String) -> Bool { sentTexts.contains(ExactText(text)) }

    /// Returns the same for a row's number.
    func isSent(_ row: NumberedRow) -> Bool { sentNumbers.contains(row) }

    // MARK: - Translating

    /// Returns the current counterpart of a value; nil if the value is not known.
    func value(_ was: String) -> String? {
        if let text = texts[ExactText(was)] { return text }
        guard was.utf8.count >= 10, was.utf8.first.map({ (48...57).contains($0) }) == true, let date = Instant(was),
            let now = dates[date]
        else { return nil }
        return Self.text(of: now, as: was)
    }

    /// Returns a date with as many digits as another text has, and with the same offset.
    private static func text(of date: Instant, as form: String) -> String {
        let text = date.wireText
        guard let point = form.firstIndex(of: ".") else { return text }
        let digits = form[form.index(after: point)...].prefix { $0.isNumber }
        let offset = form[digits.endIndex...]
        guard ["Z", "+00:00", " 00:00", ""].contains(offset) else { return text }
        let own = text.dropLast().suffix(3)
        let fraction = own.prefix(digits.count) + String(repeating: "0", count: max(digits.count - 3, 0))
        return String(text.prefix(20)) + fraction + offset
    }

    /// Returns a text with every known value replaced: in filters, in quotes, after `Bearer`.
    func replaced(in text: String) -> String {
        var written = ""
        var run = ""
        for character in text {
            guard " ,()'\"".contains(character) else {
                run.append(character)
                continue
            }
            written += value(run) ?? run
            run = ""
            written.append(character)
        }
        return written + (value(run) ?? run)
    }

    func replaced(in target: String, table: String?) -> String {
        if let link = links[ExactText(target)] { return link }
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).enumerated().map { index, segment in
            self.segment(segment, table: index == 3 ? table : nil)
        }
        guard parts.count > 1 else { return path.joined(separator: "/") }
        let query = parts[1].split(separator: "&", omittingEmptySubsequences: false).map { member in
            let pair = member.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2,
                let value = try? PercentEncoding.decode(Array(pair[1].utf8)[...], plusIsBlank: true)
            else { return String(member) }
            let now = replaced(in: value)
            return now.isExactly(value) ? String(member) : "\(pair[0])=\(Self.encoded(now))"
        }
        return path.joined(separator: "/") + "?" + query.joined(separator: "&")
    }

    private func segment(_ raw: Substring, table: String?) -> String {
        guard let segment = try? PercentEncoding.decode(Array(raw.utf8)[...], plusIsBlank: false) else {
            return String(raw)
        }
        if let now = texts[ExactText(segment)] { return Self.encoded(now) }
        if let table, let id = Int64(segment), let now = numbers[NumberedRow(table: table, id: id)] {
            return String(now)
        }
        return String(raw)
    }

    private static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        PercentEncoding.encode(text, keeping: "$'(),", into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the value of a request's field with known values replaced.
    func replaced(inField name: String, _ value: String) -> String {
        switch name.lowercased() {
        case "if-modified-since", "if-unmodified-since": httpDates[ExactText(value)] ?? value
        case "if-match", "if-none-match", "x-zumo-auth", "authorization": replaced(in: value)
        default: value
        }
    }

    func replaced(in json: JSONValue, table: String?) -> JSONValue {
        switch json {
        case .string(let text): .string(value(text) ?? text)
        case .array(let elements): .array(elements.map { replaced(in: $0, table: table) })
        case .object(let members):
            .object(
                members.map { member in
                    if member.name == "id", let table, let number = number(member.value, table: table) {
                        return JSONMember("id", number)
                    }
                    return JSONMember(member.name, replaced(in: member.value, table: table))
                })
        default: json
        }
    }

    /// Returns the current counterpart of a row's number, which is text in v3; nil if it is not known.
    private func number(_ id: JSONValue, table: String) -> JSONValue? {
        switch id {
        case .integer(let id): numbers[NumberedRow(table: table, id: id)].map { .integer($0) }
        case .string(let text):
            Int64(text).flatMap { numbers[NumberedRow(table: table, id: $0)] }.map { .string(String($0)) }
        default: nil
        }
    }
}

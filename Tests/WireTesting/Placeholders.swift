/// The values that placeholders have taken.
struct Placeholders {
    private var values: [String: String]

    init(host: String) {
        values = ["host": host]
    }

    private enum Piece {
        case text(Substring)
        case placeholder(Substring, Form)
    }

    /// How a request writes a value.
    private enum Form: String {
        case plain = ""
        /// `{date1 encoded}`: colons as `%3A`.
        case encoded = " encoded"
        /// `{date1 ticks}`: seven digits and an offset, encoded, as the .NET library writes stamps.
        case ticks = " ticks"

        func text(of value: String) -> String {
            let encoded = value.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "%3A")
            return switch self {
            case .plain: value
            case .encoded: encoded
            case .ticks: encoded.dropLast() + "0000%2B00%3A00"
            }
        }
    }

    private static let kinds = ["version", "date", "second", "uuid", "token", "host"]

    private static func pieces(of template: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = template[...]
        var text = rest.startIndex
        while let open = rest.firstIndex(of: "{") {
            let name = rest[rest.index(after: open)...].prefix { $0.isASCII && ($0.isLetter || $0.isNumber) }
            let form = Form(rawValue: String(rest[name.endIndex...].prefix { $0 != "}" }.prefix(8)))
            let end = rest.index(name.endIndex, offsetBy: form?.rawValue.count ?? 0)
            if let form, end < rest.endIndex, rest[end] == "}", kinds.contains(where: { name.hasPrefix($0) }) {
                pieces.append(.text(template[text..<open]))
                pieces.append(.placeholder(name, form))
                rest = rest[rest.index(after: end)...]
                text = rest.startIndex
            } else {
                rest = rest[rest.index(after: open)...]
            }
        }
        pieces.append(.text(template[text...]))
        return pieces
    }

    /// The text with each placeholder that has a value replaced by it.
    func replaced(in template: String) -> String {
        Self.pieces(of: template).map { piece in
            switch piece {
            case .text(let text): String(text)
            case .placeholder(let name, let form): values[String(name)].map(form.text) ?? "{\(name)\(form.rawValue)}"
            }
        }.joined()
    }

    /// Matches a text with a template and keeps what its placeholders stand for.
    mutating func match(_ text: String, with template: String) -> Bool {
        var rest = text[...]
        for piece in Self.pieces(of: template) {
            switch piece {
            case .text(let expected):
                guard rest.hasPrefix(expected) else { return false }
                rest = rest.dropFirst(expected.count)
            case .placeholder(let name, _):
                let name = String(name)
                if let value = values[name] {
                    guard rest.hasPrefix(value) else { return false }
                    rest = rest.dropFirst(value.count)
                } else {
                    guard let value = Self.take(name, from: rest) else { return false }
                    values[name] = value
                    rest = rest.dropFirst(value.count)
                }
            }
        }
        return rest.isEmpty
    }

    /// Takes a value of the placeholder's kind from the front of a text.
    private static func take(_ name: String, from text: Substring) -> String? {
        if name.hasPrefix("token") {
            let value = text.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") }
            return value.isEmpty ? nil : String(value)
        }
        let shape =
            if name.hasPrefix("version") {
                "bbbbbbbbbbb="
            } else if name.hasPrefix("date") {
                "dddd-dd-ddTdd:dd:dd.dddZ"
            } else if name.hasPrefix("second") {
                "aaa, dd aaa dddd dd:dd:dd GMT"
            } else {
                "xxxxxxxx-xxxx-4xxx-xxxx-xxxxxxxxxxxx"
            }
        let value = text.prefix(shape.count)
        guard value.count == shape.count else { return nil }
        for (character, kind) in zip(value, shape) {
            let fits =
                switch kind {
                case "b": character.isASCII && (character.isLetter || character.isNumber || "+/".contains(character))
                case "d": character.isASCII && character.isNumber
                case "a": character.isASCII && character.isLetter || character == kind
                case "x": "0123456789abcdef".contains(character)
                default: character == kind
                }
            if !fits { return nil }
        }
        return String(value)
    }
}

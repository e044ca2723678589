import HTTPModel
import JSONText

/// Signs of a v1 client (v1-1).
enum ServicesMarks {
    static func areOn(_ request: HTTPRequest, _ target: RequestTarget) -> Bool {
        request.fields.contains("X-ZUMO-APPLICATION")
            || target.query.contains { isMark($0) }
            || hasSystemName(request.body)
    }

    /// `__includeDeleted` is not a mark: the clients of every generation send it.
    private static func isMark(_ member: QueryMember) -> Bool {
        let name = member.name.lowercased()
        if name.hasPrefix("__") { return name != "__includedeleted" }
        return ["$filter", "$orderby", "$select"].contains(name) && namesSystemColumn(member.value)
    }

    private static let systemNames = ["__createdat", "__updatedat", "__version", "__deleted"]

    /// Names that only appear inside a text literal don't count.
    private static func namesSystemColumn(_ option: String) -> Bool {
        guard option.contains("__") else { return false }
        let outsideTexts = option.split(separator: "'", omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }
        return outsideTexts.contains { part in
            part.element.split { !isWord($0) }.contains { systemNames.contains($0.lowercased()) }
        }
    }

    private static func isWord(_ character: Character) -> Bool {
        character == "_" || character.isASCII && (character.isLetter || character.isNumber)
    }

    /// Most bodies contain no `"__`, and are not parsed for this.
    private static func hasSystemName(_ body: [UInt8]) -> Bool {
        var quoted = 0
        for byte in body {
            switch (quoted, byte) {
            case (_, UInt8(ascii: "\"")): quoted = 1
            case (1, UInt8(ascii: "_")): quoted = 2
            case (2, UInt8(ascii: "_")):
                guard case .object(let members)? = try? JSONReader.parse(body, loneSurrogates: .replaced)
                else { return false }
                return members.contains { $0.name.hasPrefix("__") }
            default: quoted = 0
            }
        }
        return false
    }
}

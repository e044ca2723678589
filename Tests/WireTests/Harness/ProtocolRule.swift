/// A rule of the wire, as a page in `docs/protocol` states it.
struct ProtocolRule {
    /// Such as `v2-170`.
    let name: String
    let number: Int
    /// The golden cases behind `Shown by`.
    let cases: [String]
    /// The test files behind `Tested by`.
    let tests: [String]
    /// Whether it says under `No case` why it needs neither.
    let isExcused: Bool

    static let pages = ["v1", "v2", "v3"]

    /// The rules of a page in their order.
    static func all(on page: String) throws -> [ProtocolRule] {
        let text = try Fixture.text(of: "\(Fixture.package)/docs/protocol/\(page).md")
        return text.split(separator: "\n\n").compactMap { ProtocolRule(String($0), on: page) }
    }

    /// - Returns: nil for a paragraph that states no rule of the page.
    private init?(_ paragraph: String, on page: String) {
        guard let head = paragraph.prefixMatch(of: #/\*\*(v[0-9])-([0-9]+)\*\* /#), head.output.1 == page,
            let number = Int(head.output.2)
        else { return nil }
        name = "\(page)-\(number)"
        self.number = number
        let unexcused = paragraph.split(separator: "\nNo case: ")
        isExcused = unexcused.count > 1
        let untested = unexcused[0].split(separator: "\nTested by: ")
        let unshown = untested[0].split(separator: "\nShown by: ")
        cases = unshown.count > 1 ? Self.quoted(in: unshown[1]) : []
        tests = untested.count > 1 ? Self.quoted(in: untested[1]) : []
    }

    private static func quoted(in list: Substring) -> [String] {
        list.matches(of: /`([^`]+)`/).map { String($0.output.1) }
    }
}

import Testing
import ZumoProtocol

@testable import TableAPI

@Suite struct `Words of errors` {
    @Test(arguments: [
        ("", ""),
        (String(repeating: "a", count: 80), String(repeating: "a", count: 80)),
        (String(repeating: "a", count: 81), String(repeating: "a", count: 80) + "…"),
        // One character to Swift, but of any length.
        ("a" + String(repeating: "\u{301}", count: 100), "a" + String(repeating: "\u{301}", count: 79) + "…"),
    ])
    func `a client's own text is repeated up to 80 scalars`(_ text: String, _ excerpt: String) {
        #expect(Array(ErrorResponse.excerpt(text).unicodeScalars) == Array(excerpt.unicodeScalars))
    }
}

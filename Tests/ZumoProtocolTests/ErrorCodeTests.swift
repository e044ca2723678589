import Foundation
import Testing
import ZumoProtocol

@Suite struct `The codes of failures` {
    @Test func `are all in docs, with cause and remedy, and no others`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/errors.md"), encoding: .utf8)
        var documented: [String] = []
        for line in page.split(separator: "\n") where line.hasPrefix("| `") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            #expect(cells.count == 4 && cells.allSatisfy { !$0.isEmpty }, "\(line)")
            documented.append(cells[0].trimmingCharacters(in: ["`"]))
        }
        #expect(documented == ErrorCode.allCases.map(\.rawValue).sorted())
    }
}

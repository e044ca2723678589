import Foundation
import Testing
import WireTesting

@Suite struct `The pages of the protocol` {
    @Test(arguments: ProtocolRule.pages)
    func `number their rules in order, and each number once`(_ page: String) throws {
        let text = try Fixture.text(of: "\(Fixture.package)/docs/protocol/\(page).md")
        let rules = try ProtocolRule.all(on: page)
        #expect(rules.count >= 50)
        // A rule that this doesn't read as one would be looked at by nobody.
        #expect(rules.count == text.matches(of: /\*\*v[0-9]+-/).count)
        for (rule, next) in zip(rules, rules.dropFirst()) { #expect(rule.number < next.number, "\(next.name)") }
    }

    @Test(arguments: ProtocolRule.pages)
    func `name for each rule a case or a test that is there`(_ page: String) throws {
        for rule in try ProtocolRule.all(on: page) {
            let isShown = !rule.cases.isEmpty || !rule.tests.isEmpty
            #expect(isShown != rule.isExcused, "\(rule.name) has to have a case, a test or a reason for none")
            let unknown = Set(rule.cases).subtracting(Fixture.cases)
            #expect(unknown.isEmpty, "\(rule.name) names \(unknown.sorted())")
            for test in rule.tests {
                let isThere = FileManager.default.fileExists(atPath: "\(Fixture.package)/\(test)")
                #expect(isThere && test.hasPrefix("Tests/") && test.hasSuffix(".swift"), "\(rule.name) names \(test)")
            }
        }
    }

    @Test func `name each case behind the rules that it cites, and behind no other`() throws {
        var naming: [String: Set<String>] = [:]
        for rule in try ProtocolRule.pages.flatMap(ProtocolRule.all) {
            for path in rule.cases { naming[path, default: []].insert(rule.name) }
        }
        for path in Fixture.cases {
            let golden = try GoldenCase(name: path, text: Fixture.text(of: "\(Fixture.golden)/\(path).http"))
            #expect(!golden.rules.isEmpty, "\(path) cites no rule")
            let named = naming[path, default: []]
            let difference = named.symmetricDifference(golden.rules).sorted()
            #expect(difference.isEmpty, "\(path) and the pages disagree about \(difference)")
        }
    }
}

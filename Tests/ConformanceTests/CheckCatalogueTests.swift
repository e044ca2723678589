import Foundation
import Testing

@testable import Conformance

@Suite struct `The catalogue of Conformance checks` {
    @Test func `no two checks have one name`() {
        #expect(Set(Checks.all.map(\.name)).count == Checks.all.count)
    }

    @Test(arguments: Checks.all.map(\.name))
    func `a name is a theme and words, and its rule a sentence`(_ name: String) throws {
        let check = try #require(Checks.all.first { $0.name == name })
        #expect(name.wholeMatch(of: /[a-z]+\/[a-zA-Z0-9-]+/) != nil)
        #expect(check.rule.hasSuffix(".") && check.rule.first?.isLowercase == false, "\(check.rule)")
        #expect(!check.generations.isEmpty)
    }

    @Test(arguments: WireGeneration.allCases)
    func `every check cites a rule of the protocol's pages`(_ generation: WireGeneration) throws {
        let folder = URL(filePath: #filePath).appending(path: "../../../docs/protocol").standardized
        let pages = try WireGeneration.allCases.map {
            try String(contentsOf: folder.appending(path: "\($0.rawValue).md"), encoding: .utf8)
        }
        let known = Set(pages.joined().matches(of: /\*\*(v[0-9]+-[0-9]+)\*\*/).map { String($0.output.1) })
        for check in ConformanceRun.checks(of: generation) {
            let cited = check.rules(in: generation)
            #expect(!cited.isEmpty, "\(check.name)")
            #expect(known.isSuperset(of: cited), "\(check.name): \(cited)")
        }
    }

    @Test(arguments: [(WireGeneration.v1, 30), (.v2, 40), (.v3, 30)])
    func `each generation has its checks`(_ generation: WireGeneration, _ least: Int) {
        #expect(ConformanceRun.checks(of: generation).count >= least)
    }
}

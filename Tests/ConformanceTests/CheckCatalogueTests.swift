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

    @Test(arguments: [(WireGeneration.v1, 30), (.v2, 40), (.v3, 30)])
    func `each generation has its checks`(_ generation: WireGeneration, _ least: Int) {
        #expect(ConformanceRun.checks(of: generation).count >= least)
    }
}

import JSONText
import Testing

@testable import Scripts

@Suite struct `What the workers of a folder agree on` {
    private static let read = """
        {"t":"loaded","tables":[{"name":"a","file":"tables/a.js","generation":"v2","scripts":["read","insert"],
        "definition":{"columns":{"x":"string"},"read":{"access":"anonymous"},"seed":[{"id":"1"}]},
        "places":{"columns":{"file":"tables/a.js","line":1}},"undeletesByUpdate":false}],
        "apis":[{"name":"b","file":"api/b.js","generation":"v2","verbs":{"get":"anonymous"}}],
        "jobs":[{"name":"c","file":"scheduler/c.js","cron":"0 3 * * *"}],
        "faults":[{"file":"api/b.js","line":3,"message":"a warning","fatal":false}],"hasChain":false}
        """

    private static func reading(_ old: String = "", _ new: String = "") throws -> JSONValue {
        try JSONReader.parse(Array(read.replacing(old, with: new, maxReplacements: old.isEmpty ? 0 : 1).utf8))
    }

    private let begin = ContinuousClock.now

    private func time(_ milliseconds: Int) -> ContinuousClock.Instant { begin + .milliseconds(milliseconds) }

    @Test(
        arguments: [
            // What tables begin with, warnings and lines grant nobody anything.
            (#""id":"1""#, #""id":"2""#, nil, true), ("a warning", "another", nil, true),
            (#""line":1"#, #""line":2"#, nil, true),
            (#""read","insert""#, #""insert","read""#, nil, true),
            // What the server sees to itself is as the first has read it.
            (#""access":"anonymous""#, #""access":"disabled""#, "tables/a.js: `read.access`", true),
            (#""x":"string""#, #""x":"string","y":"date""#, "tables/a.js: `columns.y`", true),
            (#""get":"anonymous""#, #""get":"admin""#, "api/b.js: the access of get", true),
            ("0 3 * * *", "0 4 * * *", "scheduler/c.js: `cron`", true),
            (#""jobs":["#, #""jobs":[{"name":"d","file":"scheduler/d.js"},"#, "scheduler/d.js: job d", true),
            // A script that is gone would let everybody pass.
            (#""read","insert""#, #""read""#, "tables/a.js: the operations of table a that have a script", false),
            (#""name":"a""#, #""name":"e""#, "tables/a.js: the operations of table a that have a script", false),
            (#""get":"anonymous""#, "", "api/b.js: the verbs of API b", false),
            (#""name":"c""#, #""name":"f""#, "scheduler/c.js: job c", false),
            (#""hasChain":false"#, #""hasChain":true"#, "what requests pass through", false),
            (#""a warning","fatal":false"#, #""can't be loaded""#, "api/b.js:3: can't be loaded", false),
        ] as [(String, String, String?, Bool)])
    func `is what is served and who may do what`(old: String, new: String, sentence: String?, isServable: Bool) throws {
        let difference = InventoryDifference.between(try Self.reading(), try Self.reading(old, new))
        #expect(difference?.sentence == sentence)
        #expect(difference?.isServable ?? true == isServable)
    }

    private func take(
        _ agreement: inout ScriptAgreement, _ words: JSONValue, at milliseconds: Int = 0
    ) -> ScriptAgreement.Verdict {
        agreement.take(ScriptInventory(words), words, at: time(milliseconds))
    }

    @Test func `is read anew where a worker differs, once for a minute, and it is said why that failed`() throws {
        let (words, other) = (try Self.reading(), try Self.reading(#""access":"anonymous""#, #""access":"admin""#))
        let change = "the scripts have changed and serve something else (tables/a.js: `read.access`)"
        var agreement = ScriptAgreement()
        #expect(take(&agreement, words) == .serves(warning: nil) && !agreement.isConfirmed)
        #expect(take(&agreement, words) == .serves(warning: nil) && agreement.isConfirmed)
        let yet = "\(change), which is yet to be taken over"
        #expect(take(&agreement, other) == .ends(because: yet, notice: change))
        agreement.note(refusal: "app.js:10: bad")
        let refused = "\(change), and can't be taken over: app.js:10: bad"
        #expect(take(&agreement, other, at: 59_999) == .ends(because: refused, notice: nil))
        #expect(take(&agreement, other, at: 60_000) == .ends(because: refused, notice: change))
        let third = try Self.reading(#""access":"anonymous""#, #""access":"disabled""#)
        #expect(take(&agreement, third, at: 64_999) == .ends(because: refused, notice: nil))
        #expect(take(&agreement, third, at: 65_000) == .ends(because: refused, notice: change))
        #expect(take(&agreement, words) == .serves(warning: nil))
    }

    @Test func `counts where readings differ though nothing has changed, but for scripts that are gone`() throws {
        let (words, other) = (try Self.reading(), try Self.reading(#""x":"string""#, #""y":"string""#))
        var agreement = ScriptAgreement()
        _ = take(&agreement, words)
        agreement.beFickle()
        #expect(take(&agreement, other) == .serves(warning: "tables/a.js: `columns.x` \(ScriptAgreement.fickle)"))
        #expect(take(&agreement, other) == .serves(warning: nil))
        guard case .ends = take(&agreement, try Self.reading(#""read","insert""#, "")) else {
            Issue.record("a worker without the scripts is let at calls")
            return
        }
    }

    @Test func `ends workers that differ without an error in the log, after pauses`() {
        var schedule = WorkerPoolSchedule(size: 1, restsAfter: nil, at: begin)
        _ = schedule.fill(at: begin)
        for number in 1...3 {
            schedule.take(.loaded(ScriptInventory(.null), .null), of: number, at: begin)
            var worker = WorkerSchedule<Int>(limits: ScriptLimits(), at: begin)
            worker.refuse(because: "another")
            guard case .report(let end)? = worker.finish("signal 9").last else {
                Issue.record("its end is not told")
                return
            }
            #expect(schedule.take(end, of: number, at: begin) == nil)
            #expect(schedule.trouble == "another")
            #expect(schedule.fill(able: 0, at: begin) == (number < 3 ? [.begin(number + 1)] : []))
        }
    }
}

import StorageTesting
import Tables
import Testing

@testable import TableOperations

@Suite("Required columns")
struct RequiredColumnTests {
    struct Sample: Sendable {
        let properties: [Property]
        let insert: Bool
        let update: Bool
    }

    private static let samples = [
        Sample(properties: [], insert: false, update: true),
        Sample(properties: [Property("other", .text("x"))], insert: false, update: true),
        Sample(properties: [Property("title", .text("x"))], insert: true, update: true),
        Sample(properties: [Property("TITLE", .text(" "))], insert: true, update: true),
        Sample(properties: [Property("title", .integer(0))], insert: true, update: true),
        Sample(properties: [Property("title", .boolean(false))], insert: true, update: true),
        Sample(properties: [Property("title", .null)], insert: false, update: false),
        Sample(properties: [Property("Title", .text(""))], insert: false, update: false),
        Sample(properties: [Property("title", .text("x")), Property("Title", .null)], insert: false, update: false),
        Sample(properties: [Property("title", .null), Property("Title", .text("x"))], insert: true, update: true),
    ]

    @Test(arguments: samples)
    func `an insert needs a value, and an update must not take it away`(sample: Sample) throws {
        let rule = RequiredColumn("title", message: "")
        #expect(rule.allows(sample.properties, isWhole: true) == sample.insert)
        #expect(rule.allows(sample.properties, isWhole: false) == sample.update)
    }

    @Test(arguments: [
        ("client", ConflictPolicy.clientWins), ("ClientWins", .clientWins), ("server", .serverWins),
        ("SERVERWINS", .serverWins), ("", .client), ("nobody", .client),
    ])
    func `the parameter has words of its own for who wins`(word: String, policy: ConflictPolicy) {
        #expect(ConflictPolicy(parameter: word) == policy)
    }
}

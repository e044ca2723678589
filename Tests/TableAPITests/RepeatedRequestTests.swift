import Access
import ByteText
import HTTPModel
import TableOperations
import Tables
import Testing
import ZumoProtocol

@testable import TableAPI

@Suite("Receipts of requests")
struct RepeatedRequestTests {
    private static func receipt(
        _ fields: [(StaticString, String)], body: String = #"{"text": "marked"}"#, caller: Principal = .application
    ) throws -> WriteReceipt? {
        let target = Array("/tables/Item".utf8)
        var all = HTTPFields()
        for (name, value) in fields { all.append(name, value) }
        let operations = TableOperations(store: NoStore(), access: [:])
        let start = TableRequest.Start(
            http: HTTPRequest(method: .post, target: target, fields: all, body: Array(body.utf8)),
            target: try RequestTarget(target), generation: AppsTables(), caller: caller, page: nil,
            serving: TableRequest.Serving(operations, .open, Continuations(operations)))
        return TableRequest(
            start, of: Table(name: try #require(Identifier("Item")), columns: [], rules: TableRules())
        ).receipt
    }

    /// An older version wrote this key down, and made the row's id of it.
    @Test func `a request that an older version answered is known again`() throws {
        let receipt = try #require(try Self.receipt([("Idempotency-Key", "key-1")]))
        #expect(RandomID.make(for: receipt) == "91b80c58-3b63-418e-bde9-7bcf08749f08")
        #expect(receipt.key.hexText == "91b80c583b63618efde97bcf08749f08" && receipt.isOnce)
    }

    @Test func `whatever differs makes it another request`() throws {
        let receipts = [
            try Self.receipt([("Idempotency-Key", "key-1")]), try Self.receipt([("Idempotency-Key", "key-2")]),
            try Self.receipt([("X-ZUMO-INSTALLATION-ID", "key-1")]),
            try Self.receipt([("Idempotency-Key", "key-1"), ("If-Match", "*")]),
            try Self.receipt([("Idempotency-Key", "key-1")], body: #"{"text": "marke"}"#),
            try Self.receipt([("Idempotency-Key", "key-1")], caller: .anonymous),
        ]
        #expect(Set(receipts.map { $0?.key.hexText }).count == receipts.count)
        #expect(try Self.receipt([]) == nil)
    }
}

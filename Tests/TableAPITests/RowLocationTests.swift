import HTTPModel
import Tables
import Testing
import ZumoProtocol

@testable import TableAPI

@Suite struct `The address of a row` {
    @Test(arguments: [
        ("k1", "k1"), ("it's 日", "it%27s%20%E6%97%A5"), ("a#b?c/d%", "a%23b%3Fc%2Fd%25"), ("a-b._~", "a-b._~"),
        ("a\r\nb", "a%0D%0Ab"),
    ])
    func `a row's address holds its id percent-encoded`(_ id: String, _ encoded: String) throws {
        let request = HTTPRequest(method: .post, target: Array("/".utf8))
        let address = PublicAddress(request, publicURL: "https://c.example", trusting: .loopback)
        let table = Table(name: try #require(Identifier("Todo")), columns: [], rules: TableRules())
        #expect(address.location(of: id, in: table) == "https://c.example/tables/Todo/\(encoded)")
    }
}

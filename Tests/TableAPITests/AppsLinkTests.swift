import Access
import HTTPModel
import TableOperations
import Tables
import Testing
import ZumoProtocol

@testable import TableAPI

@Suite struct `The link to the next page` {
    private static func link(
        _ target: String, skip: Int, top: Int? = nil, token: String? = nil
    ) async throws -> String {
        let bytes = Array(target.utf8)
        var settings = TableSettings.open
        settings.publicURL = "https://a.example"
        let operations = TableOperations(store: NoStore(), access: [:])
        let start = TableRequest.Start(
            http: HTTPRequest(method: .get, target: bytes), target: try RequestTarget(bytes),
            generation: AppsTables(), caller: .anonymous, page: nil,
            serving: TableRequest.Serving(operations, settings, Continuations(operations)))
        let request = TableRequest(
            start, of: Table(name: try #require(Identifier("todo")), columns: [], rules: TableRules()))
        return try await AppsLink.value(of: request, skip: skip, top: top, token: token)
    }

    @Test(arguments: [
        ("/tables/todo", "/tables/todo?$skip=50"),
        ("/Tables/TODO/", "/Tables/TODO/?$skip=50"),
        ("/tables/todo?$skip=0&$select=id", "/tables/todo?$select=id&$skip=50"),
        ("/tables/todo?a&a=&=b", "/tables/todo?a=&a=&=b&$skip=50"),
        (
            "/tables/todo?$filter=a+eq+'x;y,%26%3D%2B%23'",
            "/tables/todo?$filter=a%20eq%20'x%3By%2C%26%3D%2B%23'&$skip=50"
        ),
        ("/tables/todo?%24filter=%C3%A9%0D%0A", "/tables/todo?$filter=%C3%A9%0D%0A&$skip=50"),
        ("/tables/todo?$filter=b%22%3C%3E", "/tables/todo?$filter=b%22%3C%3E&$skip=50"),
    ])
    func `it keeps every member but the skip`(_ target: String, _ next: String) async throws {
        let link = try await Self.link(target, skip: 50)
        #expect(link == "https://a.example\(next); rel=next")
        #expect(link.split(separator: ";").count == 2)
    }

    @Test func `the token of the page before gives way to the new one`() async throws {
        let link = try await Self.link("/tables/todo?$skip=50&$skiptoken=old&a=b", skip: 100, token: "new")
        #expect(link == "https://a.example/tables/todo?a=b&$skip=100&$skiptoken=new; rel=next")
    }

    @Test func `it asks for the rows that are left of those that were asked for`() async throws {
        let link = try await Self.link("/tables/todo?$top=50&$orderby=a", skip: 30, top: 20, token: "new")
        #expect(link == "https://a.example/tables/todo?$top=20&$orderby=a&$skip=30&$skiptoken=new; rel=next")
    }

    @Test func `it leads to a request with the same members`() async throws {
        let target = "/tables/todo?$filter=a+eq+'it''s%20100%25%20%2B%20;%20%E6%97%A5'&foo=a%26b&__includeDeleted=true"
        let first = try RequestTarget(Array(target.utf8))
        let link = try await Self.link(target, skip: 2)
        let next = String(link.dropFirst("https://a.example".count).dropLast("; rel=next".count))
        #expect(try RequestTarget(Array(next.utf8)).query == first.query + [QueryMember(name: "$skip", value: "2")])
    }
}

import ByteText
import ContinuationTokens
import OData
import Tables
import Testing

/// Links that earlier versions gave: whoever has one wants the next page.
@Suite("Places that older versions sealed")
struct IssuedPlaceTests {
    struct Link: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let options: [(String, String)]
        let language: QueryLanguage
        let token: String
        let place: SealedCursor

        init(
            _ name: String, _ options: [(String, String)], _ language: QueryLanguage, _ token: String,
            _ cursor: PageCursor, count: Int64? = nil
        ) {
            testDescription = name
            self.options = options
            self.language = language
            self.token = token
            place = SealedCursor(cursor: cursor, count: count)
        }
    }

    @Test(arguments: [
        Link(
            "v2", [("$orderby", "n")], .apps,
            "qtrFvgHIQp-thlafR40FtkUEdnYWqPNpIH-75vdMhbUBAAAAAAAAAAEDQBAAAAAAAAAEAAAAAAAAAAZyb3ctMDQ",
            PageCursor(values: [.number(4)], id: .text("row-04"))),
        Link(
            "v2 with a filter", [("$filter", "n ge 2"), ("$orderby", "text desc")], .apps,
            "dtXanY_9B3bWQqc_j4qTQfmy71Gxk_GMhaqkavQ62NwBAAAAAAAAAAEEAAAAAAAAAAJ0NQQAAAAAAAAABnJvdy0wNQ",
            PageCursor(values: [.text("t5")], id: .text("row-05"))),
        Link(
            "v2 with a count", [("$orderby", "n"), ("$inlinecount", "allpages")], .apps,
            "QlpE4Fo8TK_LC90BfrZDipFNOg6ZsSFa7zyR8kIBaekCAAAAAAAAAAEDQBAAAAAAAAAEAAAAAAAAAAZyb3ctMDQAAAAAAAAADA",
            PageCursor(values: [.number(4)], id: .text("row-04")), count: 12),
        Link(
            "v3 with a count", [("$orderby", "n"), ("$count", "true")], .datasync,
            "ZVfREOdFqfauOUm1XBnKUEr7g1D1ArtsaOvlu5Olz2oCAAAAAAAAAAEDQBAAAAAAAAAEAAAAAAAAAAZyb3ctMDQAAAAAAAAADA",
            PageCursor(values: [.number(4)], id: .text("row-04")), count: 12),
        Link(
            "v3 with a filter", [("$filter", "n ge 1")], .datasync,
            "fEgKEe3Q5Bjwt4YT5RJQ_RCjdEoEIc9qE_VysKFWp1IBAAAAAAAAAAAEAAAAAAAAAAZyb3ctMDU",
            PageCursor(values: [], id: .text("row-05"))),
    ])
    func `are found, and sealed again they are the same`(link: Link) throws {
        let secret = "74ca4ce8d35d4a0efaac606336f3fedb8cad1880ce1cef3eab107684f7295c47"
        let seal = CursorSeal(key: try #require([UInt8](hexText: secret)))
        let table = try #require(Identifier("Item"))
        let options = try QueryOptions.parse(link.options, language: link.language)
        var query = TableQuery(limit: 5)
        query.filter = options.filter
        query.order = options.order
        if link.language == .datasync {
            query.textComparison = .ordinal
            query.nullComparison = .value
        }
        #expect(seal.place(from: link.token, in: query, of: table) == link.place)
        #expect(seal.text(of: link.place.cursor, count: link.place.count, in: query, of: table) == link.token)
    }
}

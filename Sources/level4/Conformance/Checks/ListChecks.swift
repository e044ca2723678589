import CurlClient
import JSONText

extension Checks {
    static let list: [Check] = shapes + orders + limits

    private static let shapes: [Check] = [
        .ofRow("shape", "A list is an array of rows, and in Datasync an object with items.") { visit, row in
            let listing = try await visit.listed()
            try visit.expect(listing, has: [row.id ?? ""], as: "the row")
            guard visit.generation != .v3, case .array = listing.answer.json else {
                try listing.expect(visit.generation == .v3, "a bare array", came: "an object")
                return
            }
        },
        .ofRow("rows-are-whole", "A row in a list is what a read of it answers.") { visit, row in
            let listing = try await visit.listed()
            let found = listing.rows.first?.json ?? "no rows"
            try listing.expect(listing.rows.count == 1 && listing.rows[0].says(row), "the row \(row.json)", came: found)
        },
        Check("no-rows", "A list of nothing is an empty list, and no error.") { visit in
            try visit.expect(await visit.listed(), has: [], as: "no rows")
        },
        .ofShelf("count", "A count is asked for by an option, and is a number beside the rows.") { visit, shelf in
            let listing = try await visit.listed([visit.dialect.counts], mark: shelf.mark)
            try listing.expect(listing.count == 6, "the count 6 as a number", came: listing.count?.json)
        },
        .ofShelf("count-of-a-page", "A count is of all rows that the filter finds, whatever $top and $skip say.") {
            visit, shelf in
            let listing = try await visit.listed(
                [("$top", "1"), ("$skip", "1"), visit.dialect.counts], where: "{boolean} eq true", mark: shelf.mark)
            try listing.expect(listing.count == 3, "the count 3", came: listing.count?.json)
            try listing.expect(listing.rows.count == 1, "one row", came: "\(listing.rows.count)")
        },
        .ofShelf("top-zero", "A list of no rows may be asked for its count alone.") { visit, shelf in
            let listing = try await visit.listed([("$top", "0"), visit.dialect.counts], mark: shelf.mark)
            try visit.expect(listing, has: [], as: "no rows")
            try listing.expect(listing.count == 6, "the count 6", came: listing.count?.json)
        },
        .ofShelf("select", "$select names the columns of the answer.") { visit, shelf in
            let text = try visit.column(.text)
            let request = [("$select", "id,\(text)"), ("$orderby", "id")]
            let listing = try await visit.listed(request, mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("abcdef"), as: "the rows")
            // v1 adds what is asked for by __systemProperties.
            let names = Set(listing.rows.flatMap { $0.members.map(\.name) }.filter { !$0.hasPrefix("__") })
            try listing.expect(
                names == ["id", text], "the members id and \(text) alone", came: names.sorted().joined(separator: ", "))
        },
        .ofShelf(
            "names-as-declared", "Members are called as the columns are, however a query writes them.",
            on: [.v2, .v3]
        ) { visit, shelf in
            let text = try visit.column(.text)
            let listing = try await visit.listed([("$select", "ID,\(text.uppercased())")], mark: shelf.mark)
            try listing.expect(
                listing.rows.first?[text] != nil, "a member \(text)", came: listing.rows.first?.json ?? "no rows")
        },
    ]

    private static let orders: [Check] = [
        order("order", "$orderby puts rows in order.", "{number}", "cfabed"),
        order("order-asc", "`asc` is the usual order.", "{number} asc", "cfabed"),
        order("order-desc", "`desc` turns the order round.", "{number} desc", "debafc"),
        order(
            "order-by-two", "The second column orders where the first is equal.", "{boolean},{number} desc",
            "debafc"),
        order("order-by-date", "Dates go by time, and null before them.", "{date}", "dcafbe"),
        order("order-by-id", "Ids have an order.", "id desc", "fedcba"),
    ]

    private static func order(_ name: String, _ rule: String, _ orderby: String, _ letters: String) -> Check {
        .ofShelf(name, rule) { visit, shelf in
            let listing = try await visit.listed([("$orderby", try visit.named(orderby))], mark: shelf.mark)
            try listing.expect(
                shelf.letters(listing.rows) == letters, "the order \(letters)", came: shelf.letters(listing.rows))
        }
    }

    private static func garbled(_ name: String) -> Check {
        let rule = "A $\(name) that is no number, or less than 0, answers 400."
        return Check("a-garbled-\(name)-answers-400", rule, on: [.v1, .v3]) { visit in
            for value in ["x", "-1"] {
                try await visit.list([("$\(name)", value)]).expect(status: 400, for: "$\(name)=\(value)")
            }
        }
    }

    private static let limits: [Check] = [
        .ofShelf("top", "$top is how many rows come.") { visit, shelf in
            let listing = try await visit.listed([("$orderby", "id"), ("$top", "2")], mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("ab"), as: "the first two")
        },
        .ofShelf("skip", "$skip passes over rows, also without $top.") { visit, shelf in
            let listing = try await visit.listed([("$orderby", "id"), ("$skip", "4")], mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("ef"), as: "the last two")
        },
        .ofShelf("skip-and-top", "$skip and $top together are a page.") { visit, shelf in
            let listing = try await visit.listed(
                [("$orderby", "id desc"), ("$skip", "1"), ("$top", "2")], mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("ed"), as: "the second and the third")
        },
        .ofShelf("skip-all", "$skip over all rows answers none.") { visit, shelf in
            try visit.expect(
                await visit.listed([("$skip", "6"), ("$top", "5")], mark: shelf.mark), has: [], as: "no rows")
        },
        .ofShelf("pages-without-an-order", "Pages by $skip and $top have each row once, also without $orderby.") {
            visit, shelf in
            var letters = ""
            for skip in [0, 2, 4] {
                let page = [("$skip", String(skip)), ("$top", "2")]
                letters += shelf.letters(try await visit.listed(page, mark: shelf.mark).rows)
            }
            try visit.expect(String(letters.sorted()) == "abcdef", "each of the six rows once", came: letters)
        },
        garbled("top"),
        garbled("skip"),
        Check("too-large-a-top-answers-400", "A $top beyond the server's limit answers 400.") { visit in
            let answer = try await visit.list([("$top", "1000001")])
            guard answer.status != 200 || visit.generation != .v2 else {
                throw Verdict.skipped("the server has no limit of $top")
            }
            try answer.expect(status: 400)
        },
        Check("a-thousand-rows", "A $top of 1000 is within the limit: Android asks for so many.", on: [.v1, .v2]) {
            visit in
            _ = try await visit.listed([("$top", "1000")])
        },
        .ofShelf("an-unknown-order", "An order by a column that there is not answers 400, or no rows.") {
            visit, shelf in
            let answer = try await visit.list([("$orderby", "zcnosuchcolumn")], mark: shelf.mark)
            try answer.expect(status: 200, 400)
            guard answer.status == 200 else { return }
            try visit.expect(answer.listing(), has: [], as: "no rows")
        },
    ]
}

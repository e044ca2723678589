import CurlClient
import JSONText

extension Checks {
    static let list: [Check] = shapes + orders + limits

    private static let shapes: [Check] = [
        .ofRow("shape", "A list is an array of rows, and in Datasync an object with items.") { context, row in
            let listing = try await context.listed()
            try context.expect(listing, has: [row.id ?? ""], as: "the row")
            guard context.generation != .v3, case .array = listing.answer.json else {
                try listing.expect(context.generation == .v3, "a bare array", came: "an object")
                return
            }
        },
        .ofRow("rows-are-whole", "A row in a list is what a read of it answers.") { context, row in
            let listing = try await context.listed()
            let found = listing.rows.first?.json ?? "no rows"
            try listing.expect(listing.rows.count == 1 && listing.rows[0].says(row), "the row \(row.json)", came: found)
        },
        Check("no-rows", "A list of nothing is an empty list, and no error.") { context in
            try context.expect(await context.listed(), has: [], as: "no rows")
        },
        .ofSamples("count", "A count is asked for by an option, and is a number beside the rows.") { context, samples in
            let listing = try await context.listed([context.dialect.counts], mark: samples.mark)
            try listing.expect(listing.count == 6, "the count 6 as a number", came: listing.count?.json)
        },
        .ofSamples("count-of-a-page", "A count is of all rows that the filter finds, whatever $top and $skip say.") {
            context, samples in
            let listing = try await context.listed(
                [("$top", "1"), ("$skip", "1"), context.dialect.counts], where: "{boolean} eq true", mark: samples.mark)
            try listing.expect(listing.count == 3, "the count 3", came: listing.count?.json)
            try listing.expect(listing.rows.count == 1, "one row", came: "\(listing.rows.count)")
        },
        .ofSamples("top-zero", "A list of no rows may be asked for its count alone.") { context, samples in
            let listing = try await context.listed([("$top", "0"), context.dialect.counts], mark: samples.mark)
            try context.expect(listing, has: [], as: "no rows")
            try listing.expect(listing.count == 6, "the count 6", came: listing.count?.json)
        },
        .ofSamples("select", "$select names the columns of the answer.") { context, samples in
            let text = try context.column(.text)
            let request = [("$select", "id,\(text)"), ("$orderby", "id")]
            let listing = try await context.listed(request, mark: samples.mark)
            try context.expect(listing, has: samples.ids("abcdef"), as: "the rows")
            // v1 adds what is asked for by __systemProperties.
            let names = Set(listing.rows.flatMap { $0.members.map(\.name) }.filter { !$0.hasPrefix("__") })
            try listing.expect(
                names == ["id", text], "the members id and \(text) alone", came: names.sorted().joined(separator: ", "))
        },
        .ofSamples(
            "names-as-declared", "Members are called as the columns are, however a query writes them.",
            on: [.v2, .v3]
        ) { context, samples in
            let text = try context.column(.text)
            let listing = try await context.listed([("$select", "ID,\(text.uppercased())")], mark: samples.mark)
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
        .ofSamples(name, rule) { context, samples in
            let listing = try await context.listed([("$orderby", try context.named(orderby))], mark: samples.mark)
            try listing.expect(
                samples.letters(listing.rows) == letters, "the order \(letters)", came: samples.letters(listing.rows))
        }
    }

    private static func garbled(_ name: String) -> Check {
        let rule = "A $\(name) that is no number, or less than 0, answers 400."
        return Check("a-garbled-\(name)-answers-400", rule, on: [.v1, .v3]) { context in
            for value in ["x", "-1"] {
                try await context.list([("$\(name)", value)]).expect(status: 400, for: "$\(name)=\(value)")
            }
        }
    }

    private static let limits: [Check] = [
        .ofSamples("top", "$top is how many rows come.") { context, samples in
            let listing = try await context.listed([("$orderby", "id"), ("$top", "2")], mark: samples.mark)
            try context.expect(listing, has: samples.ids("ab"), as: "the first two")
        },
        .ofSamples("skip", "$skip passes over rows, also without $top.") { context, samples in
            let listing = try await context.listed([("$orderby", "id"), ("$skip", "4")], mark: samples.mark)
            try context.expect(listing, has: samples.ids("ef"), as: "the last two")
        },
        .ofSamples("skip-and-top", "$skip and $top together are a page.") { context, samples in
            let listing = try await context.listed(
                [("$orderby", "id desc"), ("$skip", "1"), ("$top", "2")], mark: samples.mark)
            try context.expect(listing, has: samples.ids("ed"), as: "the second and the third")
        },
        .ofSamples("skip-all", "$skip over all rows answers none.") { context, samples in
            try context.expect(
                await context.listed([("$skip", "6"), ("$top", "5")], mark: samples.mark), has: [], as: "no rows")
        },
        .ofSamples("pages-without-an-order", "Pages by $skip and $top have each row once, also without $orderby.") {
            context, samples in
            var letters = ""
            for skip in [0, 2, 4] {
                let page = [("$skip", String(skip)), ("$top", "2")]
                letters += samples.letters(try await context.listed(page, mark: samples.mark).rows)
            }
            try context.expect(String(letters.sorted()) == "abcdef", "each of the six rows once", came: letters)
        },
        garbled("top"),
        garbled("skip"),
        Check("too-large-a-top-answers-400", "A $top beyond the server's limit answers 400.") { context in
            let answer = try await context.list([("$top", "1000001")])
            guard answer.status != 200 || context.generation != .v2 else {
                throw Verdict.skipped("the server has no limit of $top")
            }
            try answer.expect(status: 400)
        },
        Check("a-thousand-rows", "A $top of 1000 is within the limit: Android asks for so many.", on: [.v1, .v2]) {
            context in
            _ = try await context.listed([("$top", "1000")])
        },
        .ofSamples("an-unknown-order", "An order by a column that there is not answers 400, or no rows.") {
            context, samples in
            let answer = try await context.list([("$orderby", "zcnosuchcolumn")], mark: samples.mark)
            try answer.expect(status: 200, 400)
            guard answer.status == 200 else { return }
            try context.expect(answer.listing(), has: [], as: "no rows")
        },
    ]
}

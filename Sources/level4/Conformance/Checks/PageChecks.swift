import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let page: [Check] = [
        Check("a-cut-list-says-so", "A list that the server cuts names the next page, where it has more rows.") {
            context in
            let (first, _) = try await firstPage(context)
            let shown = first.answer["Link"] ?? first.nextLink?.json ?? "none"
            try first.expect(next(first) != nil, "a link to the next page", came: shown)
        },
        Check("link-form", "Link is an absolute address without brackets, `; rel=next` behind it.", on: [.v1, .v2]) {
            context in
            let (first, _) = try await firstPage(context)
            let link = first.answer["Link"] ?? ""
            let url = link.hasSuffix("; rel=next") ? link.dropLast("; rel=next".count) : ""
            try first.expect(
                (url.hasPrefix("http://") || url.hasPrefix("https://")) && !url.contains(" ") && !url.contains(">"),
                "http…; rel=next", came: link.isEmpty ? "none" : link)
        },
        Check("every-row-once", "The links lead to every row once, and come to an end.") { context in
            let (first, pagedRows) = try await firstPage(context)
            var ids = first.rows.compactMap(\.id)
            var page = first
            var pages = 1
            while let link = next(page) {
                pages += 1
                try page.expect(pages <= pagedRows.count + 1, "an end of the links", came: "\(pages) pages")
                page = try await follow(link, context)
                ids += page.rows.compactMap(\.id)
            }
            try page.expect(
                ids.count == pagedRows.count && Set(ids) == pagedRows.ids, "each of \(pagedRows.count) rows once",
                came: "\(ids.count) rows, \(Set(ids).intersection(pagedRows.ids).count) of them different")
        },
        .ofRow(
            "the-last-link-is-null", "The last page's nextLink is null: clients of Datasync stop at nothing else.",
            on: [.v3]
        ) { context, row in
            let listing = try await context.listed()
            try context.expect(listing, has: [row.id ?? ""], as: "the row")
            try listing.expect(
                listing.nextLink == .null, "nextLink: null", came: listing.nextLink?.json ?? "no member nextLink")
        },
        .ofSamples("no-link-on-request", "A list that holds all that was asked for names no next page.") {
            context, samples in
            let listing = try await context.listed(mark: samples.mark)
            try listing.expect(next(listing) == nil, "no link", came: listing.answer["Link"] ?? "a nextLink")
        },
        Check("pages-by-skip", "Pages by $skip reach the rows behind the server's own page.", on: [.v1, .v2]) {
            context in
            let pagedRows = try await context.pagedRows()
            var ids: [String] = []
            while true {
                let page = try await context.listed(
                    [("$skip", String(ids.count)), ("$top", "40"), context.dialect.includesDeleted],
                    mark: pagedRows.mark)
                guard !page.rows.isEmpty else { break }
                ids += page.rows.compactMap(\.id)
                try page.expect(ids.count <= pagedRows.count, "an empty page at the end", came: "\(ids.count) rows")
            }
            try context.expect(Set(ids) == pagedRows.ids, "each of \(pagedRows.count) rows", came: "\(Set(ids).count)")
        },
    ]

    /// The first page of a list that the server cuts.
    private static func firstPage(_ context: CheckContext) async throws(Verdict) -> (ListResponse, PagedRows) {
        let pagedRows = try await context.pagedRows()
        let listing = try await context.listed([context.dialect.includesDeleted], mark: pagedRows.mark)
        guard listing.rows.count < pagedRows.count else {
            throw .skipped("the server's page holds \(pagedRows.count) rows and more; --page-rows makes more of them")
        }
        guard context.generation != .v1 || listing.answer["Link"] != nil else {
            throw .skipped("the server names no next page, as the Node servers of Mobile Services did")
        }
        return (listing, pagedRows)
    }

    /// Where the next page is; nil on the last.
    private static func next(_ listing: ListResponse) -> String? {
        guard listing.answer.context.generation == .v3 else {
            guard let link = listing.answer["Link"], let end = link.firstRange(of: "; rel=next") else { return nil }
            return String(link[..<end.lowerBound])
        }
        return listing.nextLink?.textValue
    }

    /// Asks for a page by its link: an address, a path, or a query alone.
    private static func follow(_ link: String, _ context: CheckContext) async throws(Verdict) -> ListResponse {
        var request = context.request(.get, context.path(), asksForSystem: false)
        if let scheme = link.firstRange(of: "://") {
            // The public address may be another than the one that is judged.
            let path = link[scheme.upperBound...].drop { $0 != "/" }
            request.url = "\(context.target.origin)\(path)"
        } else if link.hasPrefix("/") {
            request.url = "\(context.target.origin)\(link)"
        } else {
            request.url += "?\(link)"
        }
        return try await context.send(request).listing()
    }
}

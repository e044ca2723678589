import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let page: [Check] = [
        Check("a-cut-list-says-so", "A list that the server cuts names the next page, where it has more rows.") {
            visit in
            let (first, _) = try await firstPage(visit)
            let shown = first.answer["Link"] ?? first.nextLink?.json ?? "none"
            try first.expect(next(first) != nil, "a link to the next page", came: shown)
        },
        Check("link-form", "Link is an absolute address without brackets, `; rel=next` behind it.", on: [.v1, .v2]) {
            visit in
            let (first, _) = try await firstPage(visit)
            let link = first.answer["Link"] ?? ""
            let url = link.hasSuffix("; rel=next") ? link.dropLast("; rel=next".count) : ""
            try first.expect(
                (url.hasPrefix("http://") || url.hasPrefix("https://")) && !url.contains(" ") && !url.contains(">"),
                "http…; rel=next", came: link.isEmpty ? "none" : link)
        },
        Check("every-row-once", "The links lead to every row once, and come to an end.") { visit in
            let (first, stack) = try await firstPage(visit)
            var ids = first.rows.compactMap(\.id)
            var page = first
            var pages = 1
            while let link = next(page) {
                pages += 1
                try page.expect(pages <= stack.count + 1, "an end of the links", came: "\(pages) pages")
                page = try await follow(link, visit)
                ids += page.rows.compactMap(\.id)
            }
            try page.expect(
                ids.count == stack.count && Set(ids) == stack.ids, "each of \(stack.count) rows once",
                came: "\(ids.count) rows, \(Set(ids).intersection(stack.ids).count) of them different")
        },
        .ofRow(
            "the-last-link-is-null", "The last page's nextLink is null: clients of Datasync stop at nothing else.",
            on: [.v3]
        ) { visit, row in
            let listing = try await visit.listed()
            try visit.expect(listing, has: [row.id ?? ""], as: "the row")
            try listing.expect(
                listing.nextLink == .null, "nextLink: null", came: listing.nextLink?.json ?? "no member nextLink")
        },
        .ofShelf("no-link-on-request", "A list that holds all that was asked for names no next page.") { visit, shelf in
            let listing = try await visit.listed(mark: shelf.mark)
            try listing.expect(next(listing) == nil, "no link", came: listing.answer["Link"] ?? "a nextLink")
        },
        Check("pages-by-skip", "Pages by $skip reach the rows behind the server's own page.", on: [.v1, .v2]) { visit in
            let stack = try await visit.stack()
            var ids: [String] = []
            while true {
                let page = try await visit.listed(
                    [("$skip", String(ids.count)), ("$top", "40"), visit.dialect.includesDeleted], mark: stack.mark)
                guard !page.rows.isEmpty else { break }
                ids += page.rows.compactMap(\.id)
                try page.expect(ids.count <= stack.count, "an empty page at the end", came: "\(ids.count) rows")
            }
            try visit.expect(Set(ids) == stack.ids, "each of \(stack.count) rows", came: "\(Set(ids).count)")
        },
    ]

    /// The first page of a list that the server cuts.
    private static func firstPage(_ visit: CheckContext) async throws(Verdict) -> (ListResponse, PagedRows) {
        let stack = try await visit.stack()
        let listing = try await visit.listed([visit.dialect.includesDeleted], mark: stack.mark)
        guard listing.rows.count < stack.count else {
            throw .skipped("the server's page holds \(stack.count) rows and more; --page-rows makes more of them")
        }
        guard visit.generation != .v1 || listing.answer["Link"] != nil else {
            throw .skipped("the server names no next page, as the Node servers of Mobile Services did")
        }
        return (listing, stack)
    }

    /// Where the next page is; nil on the last.
    private static func next(_ listing: ListResponse) -> String? {
        guard listing.answer.visit.generation == .v3 else {
            guard let link = listing.answer["Link"], let end = link.firstRange(of: "; rel=next") else { return nil }
            return String(link[..<end.lowerBound])
        }
        return listing.nextLink?.textValue
    }

    /// Asks for a page by its link: an address, a path, or a query alone.
    private static func follow(_ link: String, _ visit: CheckContext) async throws(Verdict) -> ListResponse {
        var request = visit.request(.get, visit.path(), asksForSystem: false)
        if let scheme = link.firstRange(of: "://") {
            // The public address may be another than the one that is judged.
            let path = link[scheme.upperBound...].drop { $0 != "/" }
            request.url = "\(visit.target.origin)\(path)"
        } else if link.hasPrefix("/") {
            request.url = "\(visit.target.origin)\(link)"
        } else {
            request.url += "?\(link)"
        }
        return try await visit.send(request).listing()
    }
}

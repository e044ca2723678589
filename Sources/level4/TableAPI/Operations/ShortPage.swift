import HTTPModel
import OData
import Tables

/// Which lists may end with fewer rows than the client asked for, because a client on a slow connection can only make
/// progress with short pages.
///
/// A client that takes a short page for the last one would never see the rows after it. So a page is short only if that
/// can't happen (v2-175):
///
/// - A link's page, because its client follows links.
/// - A list with tombstones and without `$top`: the server chose its length, and there is a link.
/// - A pull in the order of stamps. iOS, .NET 4, Android 3 and JavaScript 2 continue until a page is empty. Android
///   2.0.2's betas and JavaScript before 2.0.0 end with a short page, but keep the stamp of its last row and start
///   there the next time: they get the other rows later, and none is lost.
/// - A pull by `$skip`, which has no stamp to continue from, by a library known to count the rows it got and to
///   continue until a page is empty: iOS and managed ones, and Android from 3.0 on.
enum ShortPage {
    /// - Parameters:
    ///   - fields: the request's fields, in which libraries name themselves.
    ///   - hasLink: whether there will be a link to the next page.
    static func isFollowed(_ options: QueryOptions, _ fields: HTTPFields, hasLink: Bool) -> Bool {
        if hasLink, options.skipToken != nil { return true }
        guard options.includeDeleted else { return false }
        if options.top == nil, hasLink { return true }
        if options.order.count == 1, let term = options.order.first, !term.isDescending, term.expression.isStamp {
            return true
        }
        return countsRows(fields)
    }

    /// Whether the request is from a library that continues after the rows it got.
    private static func countsRows(_ fields: HTTPFields) -> Bool {
        guard let name = fields["X-ZUMO-VERSION"] ?? fields["User-Agent"] else { return false }
        let text = name.lowercased()
        if text.contains("lang=objective-c") || text.contains("lang=managed") { return true }
        // Android sends only its version there.
        guard let end = text.firstIndex(of: "."), let major = Int(text[..<end]) else { return false }
        return major >= 3
    }
}

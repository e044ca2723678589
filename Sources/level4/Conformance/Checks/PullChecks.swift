import CurlClient
import JSONText

extension Checks {
    static let pull: [Check] = [
        .ofRow("dates-end-in-z", "Stamps have at most three digits of a second and end in Z.") { context, row in
            for name in [context.dialect.updatedAt] + (context.generation == .v3 ? [] : [context.dialect.createdAt]) {
                let stamp = row[name]?.textValue ?? ""
                try context.expect(isWireDate(stamp), "\(name) as 2016-02-03T04:05:06.070Z", came: row[name]?.json)
            }
        },
        .ofRow("the-stamp-is-exact", "A row is found by the very stamp that it was answered with.") { context, row in
            let stamp = context.dialect.literal(row.updatedAt ?? "")
            let listing = try await context.listed(where: "\(context.dialect.updatedAt) eq \(stamp)")
            try context.expect(listing, has: [row.id ?? ""], as: "the row")
        },
        Check("from-a-stamp-on", "A pull from a row's stamp on has that row and all later ones, and no earlier.") {
            context in
            _ = try await context.made()
            let second = try await context.made()
            let third = try await context.made()
            let listing = try await pulled(context, "ge", second.updatedAt)
            try context.expect(listing, has: [second.id ?? "", third.id ?? ""], as: "the second and the third")
            let rest = try await pulled(context, "gt", second.updatedAt)
            try context.expect(rest, has: [third.id ?? ""], as: "the third behind it")
        },
        .ofRow(
            "seven-digits", "A pull may write its stamp with seven digits and an offset, as .NET does.",
            on: [.v1, .v2]
        ) { context, row in
            let stamp = comparable(row.updatedAt ?? "") + "0000+00:00"
            try context.expect(await pulled(context, "ge", stamp), has: [row.id ?? ""], as: "the row")
        },
        .ofRow("from-the-beginning", "A first pull may ask from 1970 or from before.") { context, row in
            for stamp in ["1970-01-01T00:00:00.000Z", "1969-12-30T22:00:00.000Z", "0001-01-01T00:00:00.000Z"] {
                try context.expect(
                    await pulled(context, "ge", stamp), has: [row.id ?? ""], as: "the row from \(stamp) on")
            }
        },
        Check("in-the-order-of-changes", "Whatever was written last comes last: insert, update, delete, undelete.") {
            context in
            let first = try await context.made()
            let second = try await context.made()
            let third = try await context.made()
            let ids = [first, second, third].map { $0.id ?? "" }
            try context.expect(await pulled(context, "ge", nil), has: ids, as: "the order of the inserts")
            _ = try await context.updated(first, context.text("second"))
            try context.expect(
                await pulled(context, "ge", nil), has: [ids[1], ids[2], ids[0]], as: "the updated row at the end")
            try await context.deleted(second)
            try context.expect(
                await pulled(context, "ge", nil), has: [ids[2], ids[0], ids[1]], as: "the deleted row at the end")
            let back = try await context.undelete(second)
            try back.expect(back.isSuccess, "an undelete that is done", came: "status \(back.status)")
            _ = try await context.updated(third, context.text("second"))
            try context.expect(
                await pulled(context, "ge", nil), has: [ids[0], ids[1], ids[2]],
                as: "the row that came back, then the last")
        },
        .ofRow("tells-of-deletes", "A pull from the last stamp on tells of a row that was deleted since.") {
            context, row in
            let last = try await context.made()
            try await context.deleted(row)
            let listing = try await pulled(context, "gt", last.updatedAt)
            try context.expect(listing, has: [row.id ?? ""], as: "the deleted row")
            try listing.expect(
                listing.rows[0].isDeleted, "\(context.dialect.deleted): true", came: listing.rows[0].json)
        },
        Check("deleted-is-a-boolean", "`deleted` is true or false in every row of a pull.") { context in
            _ = try await context.made()
            _ = try await context.tombstone()
            let listing = try await pulled(context, "ge", nil)
            for row in listing.rows {
                let flag = row[context.dialect.deleted]
                let isBoolean = if case .boolean = flag { true } else { false }
                try listing.expect(isBoolean, "true or false", came: flag?.json ?? "no \(context.dialect.deleted)")
            }
            try listing.expect(listing.rows.count == 2, "two rows", came: "\(listing.rows.count)")
        },
        Check("idle", "A pull behind the newest row has nothing.") { context in
            _ = try await context.made()
            let last = try await context.made()
            try context.expect(await pulled(context, "gt", last.updatedAt), has: [], as: "nothing")
        },
        Check(
            "the-whole-loop",
            "A device that pulls page by page gets every row in its newest state, and comes to an end."
        ) { context in
            var versions: [String: String] = [:]
            for _ in 1...5 {
                let row = try await context.made()
                versions[row.id ?? ""] = row.version
            }
            let ids = versions.keys.sorted()
            var device = Device(context)
            try await device.pull()
            try context.expect(device.rows == versions, "five rows with their versions", came: "\(device.rows)")
            let changed = try await context.updated(context.row(ids[0]), context.text("second"))
            versions[ids[0]] = changed.version
            let dead = try await context.row(ids[1])
            try await context.deleted(dead)
            versions[ids[1]] = nil
            try await device.pull()
            try context.expect(device.rows == versions, "one row changed and one gone", came: "\(device.rows)")
        },
        Check("by-pages", "The pages of a pull join without a gap where each is asked for by $skip.", on: [.v1, .v2]) {
            context in
            var ids: [String] = []
            for _ in 1...5 { ids.append(try await context.made().id ?? "") }
            var found: [String] = []
            for skip in [0, 2, 4, 6] {
                let page = [("$skip", String(skip)), ("$top", "2"), ("$orderby", context.dialect.updatedAt)]
                found += try await context.listed(page + [context.dialect.includesDeleted]).rows.compactMap(\.id)
            }
            try context.expect(found == ids, "the five rows in order", came: found.joined(separator: ", "))
        },
    ]

    /// The query of an incremental pull.
    private static func pulled(
        _ context: CheckContext, _ comparison: String, _ stamp: String?, more: [(String, String)] = []
    ) async throws(Verdict) -> ListResponse {
        let name = context.dialect.updatedAt
        let condition = stamp.map { "\(name) \(comparison) \(context.dialect.literal($0))" }
        return try await context.listed(
            [("$orderby", name)] + more + [context.dialect.includesDeleted], where: condition)
    }

    /// Whether a stamp is one that every client library reads.
    static func isWireDate(_ stamp: String) -> Bool {
        stamp.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z/) != nil
    }

    /// What a client library does at a pull, two rows at a time.
    private struct Device {
        let context: CheckContext
        /// The versions of the rows that it has, by their ids.
        private(set) var rows: [String: String] = [:]
        private var token: String?
        private var skip = 0

        init(_ context: CheckContext) { self.context = context }

        mutating func pull() async throws(Verdict) {
            // v3's clients ask for what is behind the token, the others for what is from it on.
            let comparison = context.generation == .v3 ? "gt" : "ge"
            skip = 0
            for _ in 1...40 {
                var more = [("$top", "2")]
                if context.generation != .v3 { more.append(("$skip", String(skip))) }
                let page = try await Checks.pulled(context, comparison, token, more: more)
                guard !page.rows.isEmpty else { return }
                for row in page.rows { rows[row.id ?? ""] = row.isDeleted ? nil : row.version }
                let newest = page.rows.compactMap(\.updatedAt).map(Checks.comparable).max()
                if let newest, newest != token?.dropLast().description {
                    token = newest + "Z"
                    skip = 0
                } else {
                    skip += page.rows.count
                }
            }
            try context.expect(false, "an end of the pull", came: "40 pages of two rows at most")
        }
    }
}

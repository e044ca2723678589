import CurlClient
import JSONText

extension Checks {
    static let pull: [Check] = [
        .ofRow("dates-end-in-z", "Stamps have at most three digits of a second and end in Z.") { visit, row in
            for name in [visit.dialect.updatedAt] + (visit.generation == .v3 ? [] : [visit.dialect.createdAt]) {
                let stamp = row[name]?.textValue ?? ""
                try visit.expect(isWireDate(stamp), "\(name) as 2016-02-03T04:05:06.070Z", came: row[name]?.json)
            }
        },
        .ofRow("the-stamp-is-exact", "A row is found by the very stamp that it was answered with.") { visit, row in
            let stamp = visit.dialect.literal(row.updatedAt ?? "")
            let listing = try await visit.listed(where: "\(visit.dialect.updatedAt) eq \(stamp)")
            try visit.expect(listing, has: [row.id ?? ""], as: "the row")
        },
        Check("from-a-stamp-on", "A pull from a row's stamp on has that row and all later ones, and no earlier.") {
            visit in
            _ = try await visit.made()
            let second = try await visit.made()
            let third = try await visit.made()
            let listing = try await pulled(visit, "ge", second.updatedAt)
            try visit.expect(listing, has: [second.id ?? "", third.id ?? ""], as: "the second and the third")
            let rest = try await pulled(visit, "gt", second.updatedAt)
            try visit.expect(rest, has: [third.id ?? ""], as: "the third behind it")
        },
        .ofRow(
            "seven-digits", "A pull may write its stamp with seven digits and an offset, as .NET does.",
            on: [.v1, .v2]
        ) { visit, row in
            let stamp = comparable(row.updatedAt ?? "") + "0000+00:00"
            try visit.expect(await pulled(visit, "ge", stamp), has: [row.id ?? ""], as: "the row")
        },
        .ofRow("from-the-beginning", "A first pull may ask from 1970 or from before.") { visit, row in
            for stamp in ["1970-01-01T00:00:00.000Z", "1969-12-30T22:00:00.000Z", "0001-01-01T00:00:00.000Z"] {
                try visit.expect(await pulled(visit, "ge", stamp), has: [row.id ?? ""], as: "the row from \(stamp) on")
            }
        },
        Check("in-the-order-of-changes", "Whatever was written last comes last: insert, update, delete, undelete.") {
            visit in
            let first = try await visit.made()
            let second = try await visit.made()
            let third = try await visit.made()
            let ids = [first, second, third].map { $0.id ?? "" }
            try visit.expect(await pulled(visit, "ge", nil), has: ids, as: "the order of the inserts")
            _ = try await visit.updated(first, visit.text("second"))
            try visit.expect(
                await pulled(visit, "ge", nil), has: [ids[1], ids[2], ids[0]], as: "the updated row at the end")
            try await visit.deleted(second)
            try visit.expect(
                await pulled(visit, "ge", nil), has: [ids[2], ids[0], ids[1]], as: "the deleted row at the end")
            let back = try await visit.undelete(second)
            try back.expect(back.isSuccess, "an undelete that is done", came: "status \(back.status)")
            _ = try await visit.updated(third, visit.text("second"))
            try visit.expect(
                await pulled(visit, "ge", nil), has: [ids[0], ids[1], ids[2]],
                as: "the row that came back, then the last")
        },
        .ofRow("tells-of-deletes", "A pull from the last stamp on tells of a row that was deleted since.") {
            visit, row in
            let last = try await visit.made()
            try await visit.deleted(row)
            let listing = try await pulled(visit, "gt", last.updatedAt)
            try visit.expect(listing, has: [row.id ?? ""], as: "the deleted row")
            try listing.expect(listing.rows[0].isDeleted, "\(visit.dialect.deleted): true", came: listing.rows[0].json)
        },
        Check("deleted-is-a-boolean", "`deleted` is true or false in every row of a pull.") { visit in
            _ = try await visit.made()
            _ = try await visit.tombstone()
            let listing = try await pulled(visit, "ge", nil)
            for row in listing.rows {
                let flag = row[visit.dialect.deleted]
                let isBoolean = if case .boolean = flag { true } else { false }
                try listing.expect(isBoolean, "true or false", came: flag?.json ?? "no \(visit.dialect.deleted)")
            }
            try listing.expect(listing.rows.count == 2, "two rows", came: "\(listing.rows.count)")
        },
        Check("idle", "A pull behind the newest row has nothing.") { visit in
            _ = try await visit.made()
            let last = try await visit.made()
            try visit.expect(await pulled(visit, "gt", last.updatedAt), has: [], as: "nothing")
        },
        Check(
            "the-whole-loop",
            "A device that pulls page by page gets every row in its newest state, and comes to an end."
        ) { visit in
            var versions: [String: String] = [:]
            for _ in 1...5 {
                let row = try await visit.made()
                versions[row.id ?? ""] = row.version
            }
            let ids = versions.keys.sorted()
            var device = Device(visit)
            try await device.pull()
            try visit.expect(device.rows == versions, "five rows with their versions", came: "\(device.rows)")
            let changed = try await visit.updated(visit.row(ids[0]), visit.text("second"))
            versions[ids[0]] = changed.version
            let dead = try await visit.row(ids[1])
            try await visit.deleted(dead)
            versions[ids[1]] = nil
            try await device.pull()
            try visit.expect(device.rows == versions, "one row changed and one gone", came: "\(device.rows)")
        },
        Check("by-pages", "The pages of a pull join without a gap where each is asked for by $skip.", on: [.v1, .v2]) {
            visit in
            var ids: [String] = []
            for _ in 1...5 { ids.append(try await visit.made().id ?? "") }
            var found: [String] = []
            for skip in [0, 2, 4, 6] {
                let page = [("$skip", String(skip)), ("$top", "2"), ("$orderby", visit.dialect.updatedAt)]
                found += try await visit.listed(page + [visit.dialect.includesDeleted]).rows.compactMap(\.id)
            }
            try visit.expect(found == ids, "the five rows in order", came: found.joined(separator: ", "))
        },
    ]

    /// The query of an incremental pull.
    private static func pulled(
        _ visit: CheckContext, _ comparison: String, _ stamp: String?, more: [(String, String)] = []
    ) async throws(Verdict) -> ListResponse {
        let name = visit.dialect.updatedAt
        let condition = stamp.map { "\(name) \(comparison) \(visit.dialect.literal($0))" }
        return try await visit.listed([("$orderby", name)] + more + [visit.dialect.includesDeleted], where: condition)
    }

    /// Whether a stamp is one that every client library reads.
    static func isWireDate(_ stamp: String) -> Bool {
        stamp.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z/) != nil
    }

    /// What a client library does at a pull, two rows at a time.
    private struct Device {
        let visit: CheckContext
        /// The versions of the rows that it has, by their ids.
        private(set) var rows: [String: String] = [:]
        private var token: String?
        private var skip = 0

        init(_ visit: CheckContext) { self.visit = visit }

        mutating func pull() async throws(Verdict) {
            // v3's clients ask for what is behind the token, the others for what is from it on.
            let comparison = visit.generation == .v3 ? "gt" : "ge"
            skip = 0
            for _ in 1...40 {
                var more = [("$top", "2")]
                if visit.generation != .v3 { more.append(("$skip", String(skip))) }
                let page = try await Checks.pulled(visit, comparison, token, more: more)
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
            try visit.expect(false, "an end of the pull", came: "40 pages of two rows at most")
        }
    }
}

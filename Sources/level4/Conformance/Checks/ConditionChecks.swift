import CurlClient
import Foundation
import HTTPModel
import JSONText

extension Checks {
    /// The conditional requests of Datasync, besides If-Match.
    static let conditions: [Check] = [
        .ofRow("last-modified", "Last-Modified is the row's stamp, to the second.") { context, row in
            let answer = try await context.read(row.id)
            let date = try second(row)
            try answer.expect(
                answer["Last-Modified"] == httpDate(date), "Last-Modified: \(httpDate(date))",
                came: answer["Last-Modified"])
        },
        .ofRow("if-modified-since", "A read answers 304 where the row is older than the date, else the row.") {
            context, row in
            let since = "If-Modified-Since"
            try await context.read(row.id, fields: [CurlField(since, hours(1, row))]).expect(status: 304)
            try await context.read(row.id, fields: [CurlField(since, hours(-1, row))]).expect(status: 200)
        },
        .ofRow("if-unmodified-since", "A write is done where the row is older than the date, else 412.") {
            context, row in
            let since = "If-Unmodified-Since"
            let text = context.text("second")
            try await context.update(row.id, text, fields: [CurlField(since, hours(-1, row))]).expect(status: 412)
            try await context.update(row.id, text, fields: [CurlField(since, hours(1, row))]).expect(status: 200)
        },
        .ofRow("if-match-on-a-read", "A read whose If-Match is another version answers 412 with the row.") {
            context, row in
            let other = CurlField("If-Match", "\"dGVzdA==\"")
            let answer = try await context.read(row.id, fields: [other]).expect(status: 412)
            try answer.expect(row: row, "the row")
            try await context.read(row.id, fields: [CurlField("If-Match", tag(row))]).expect(status: 200)
        },
        .ofRow("if-none-match-on-a-write", "A write is 412 whose If-None-Match is *, and no version.") { context, row in
            let text = context.text("second")
            try await context.update(row.id, text, fields: [CurlField("If-None-Match", "*")]).expect(status: 412)
            // What the cache of a platform adds, and no app can take away.
            for value in [tag(row), "\"dGVzdA==\""] {
                try await context.update(row.id, text, fields: [CurlField("If-None-Match", value)]).expect(status: 200)
            }
        },
        // Whether the row's own tag matches where a proxy made it weak is the server's to decide.
        .ofRow("an-impossible-weak-tag", "A weak tag that can't be a version matches none.") { context, row in
            try await context.update(row.id, context.text("second"), ifMatch: "W/\"dGVzdA==\"").expect(status: 412)
        },
        .ofRow("lists-ignore-them", "A list is answered whatever the request says of copies.") { context, row in
            let answer = try await context.list(
                fields: [CurlField("If-None-Match", "*"), CurlField("If-Modified-Since", hours(1, row))])
            try context.expect(answer.listing(), has: [row.id ?? ""], as: "the row")
        },
        .ofRow("on-a-delete", "A delete asks about dates too: 412 where the row is newer.") { context, row in
            let since = "If-Unmodified-Since"
            try await context.delete(row.id, fields: [CurlField(since, hours(-1, row))]).expect(status: 412)
            try await context.delete(row.id, fields: [CurlField(since, hours(1, row))]).expect(status: 204)
        },
    ]

    private static func second(_ row: Row) throws(Verdict) -> Date {
        let text = comparable(row.updatedAt ?? "").prefix(19) + "Z"
        guard let date = try? Date(String(text), strategy: .iso8601) else {
            throw .failed(expected: "a stamp", came: row.updatedAt ?? "none", exchange: nil)
        }
        return date
    }

    private static func hours(_ count: Int, _ row: Row) throws(Verdict) -> String {
        httpDate(try second(row).addingTimeInterval(Double(count) * 3_600))
    }

    private static func httpDate(_ date: Date) -> String {
        HTTPDate.text(secondsSinceEpoch: Int64(date.timeIntervalSince1970))
    }
}

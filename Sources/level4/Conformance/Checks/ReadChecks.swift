import CurlClient
import Foundation
import HTTPModel
import JSONText

extension Checks {
    static let read: [Check] = [
        Check("answers-the-row", "A row that is asked for by its id answers 200, as the insert answered it.") {
            context in
            let row = try await context.made(context.text("tea"))
            try await context.read(row.id).expect(status: 200).expect(row: row, "the row \(row.json)")
        },
        .ofRow("etag-is-the-version", "The ETag of a row that is read is its version.") { context, row in
            try await context.read(row.id).expectTag(of: row)
        },
        Check("a-missing-row-answers-404", "The id of no row answers 404.") { context in
            try await context.read(context.newID()).expect(status: 404)
        },
        Check("an-unknown-table-answers-404", "A table that there is not answers 404.") { context in
            try await context.read(context.newID(), from: "zcNoSuchTable").expect(status: 404)
        },
        .ofTombstone("a-deleted-row-is-not-found", "A deleted row is not found: 404, and 410 in Datasync.") {
            context, row in
            try await context.read(row.id).expect(status: context.dialect.gone)
        },
        .ofTombstone(
            "a-deleted-row-on-request", "A deleted row is answered to who asks for deleted rows too.",
            on: [.v1, .v3]
        ) { context, row in
            let answer = try await context.read(row.id, [context.dialect.includesDeleted]).expect(status: 200)
            try answer.expect(answer.row().isDeleted, "\(context.dialect.deleted): true", came: answer.object?.json)
        },
        .ofRow("table-names-in-any-case", "The table's name may be written in any case.") { context, row in
            for name in [context.target.table.uppercased(), context.target.table.lowercased()] {
                try await context.read(row.id, from: name).expect(status: 200, for: "the name \(name)")
            }
        },
        Check("a-slash-at-the-end", "A slash behind the table's name changes nothing.") { context in
            let answer = try await context.send(context.request(.get, context.path() + "/", [("$top", "1")]))
            _ = try answer.listing()
        },
        .ofRow("percent-encoded-ids", "Letters of an id in the path may come percent-encoded.") { context, row in
            let encoded = (row.id ?? "").utf8.map {
                "%" + String(UInt16($0) | 0x100, radix: 16).dropFirst().uppercased()
            }.joined()
            try await context.send(context.request(.get, "\(context.path())/\(encoded)")).expect(status: 200)
        },
        .ofRow("unknown-parameters", "A parameter of an app's own changes nothing.") { context, row in
            try await context.read(row.id, [("zcColour", "blue & green")]).expect(status: 200)
            try context.expect(await context.listed([("zcColour", "blue & green")]), has: [row.id ?? ""], as: "the row")
        },
        .ofRow(
            "never-304", "A read by id is answered in full, whatever it says of copies: clients expect no 304.",
            on: [.v2]
        ) { context, row in
            let tag = CurlField("If-None-Match", "\"\(row.version ?? "")\"")
            try await context.read(row.id, fields: [tag]).expect(status: 200)
        },
        .ofRow("if-none-match-answers-304", "A copy that is still true answers 304 without a body.", on: [.v1, .v3]) {
            context, row in
            let answer = try await context.read(
                row.id, fields: [CurlField("If-None-Match", "\"\(row.version ?? "")\"")])
            try answer.expect(status: 304)
            try answer.expect(answer.body.isEmpty, "no body", came: "\(answer.body.count) bytes")
        },
        .ofRow("if-none-match-of-another-version", "A copy of another version answers the row.", on: [.v1, .v3]) {
            context, row in
            let old = row.version ?? ""
            _ = try await context.updated(row, context.text("second"))
            try await context.read(row.id, fields: [CurlField("If-None-Match", "\"\(old)\"")]).expect(status: 200)
        },
    ]
}

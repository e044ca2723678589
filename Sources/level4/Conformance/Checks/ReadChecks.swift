import CurlClient
import Foundation
import HTTPModel
import JSONText

extension Checks {
    static let read: [Check] = [
        Check("answers-the-row", "A row that is asked for by its id answers 200, as the insert answered it.") { visit in
            let row = try await visit.made(visit.text("tea"))
            try await visit.read(row.id).expect(status: 200).expect(row: row, "the row \(row.json)")
        },
        .ofRow("etag-is-the-version", "The ETag of a row that is read is its version.") { visit, row in
            try await visit.read(row.id).expectTag(of: row)
        },
        Check("a-missing-row-answers-404", "The id of no row answers 404.") { visit in
            try await visit.read(visit.newID()).expect(status: 404)
        },
        Check("an-unknown-table-answers-404", "A table that there is not answers 404.") { visit in
            try await visit.read(visit.newID(), from: "zcNoSuchTable").expect(status: 404)
        },
        .ofTombstone("a-deleted-row-is-not-found", "A deleted row is not found: 404, and 410 in Datasync.") {
            visit, row in
            try await visit.read(row.id).expect(status: visit.dialect.gone)
        },
        .ofTombstone(
            "a-deleted-row-on-request", "A deleted row is answered to who asks for deleted rows too.",
            on: [.v1, .v3]
        ) { visit, row in
            let answer = try await visit.read(row.id, [visit.dialect.includesDeleted]).expect(status: 200)
            try answer.expect(answer.row().isDeleted, "\(visit.dialect.deleted): true", came: answer.object?.json)
        },
        .ofRow("table-names-in-any-case", "The table's name may be written in any case.") { visit, row in
            for name in [visit.target.table.uppercased(), visit.target.table.lowercased()] {
                try await visit.read(row.id, from: name).expect(status: 200, for: "the name \(name)")
            }
        },
        Check("a-slash-at-the-end", "A slash behind the table's name changes nothing.") { visit in
            let answer = try await visit.send(visit.request(.get, visit.path() + "/", [("$top", "1")]))
            _ = try answer.listing()
        },
        .ofRow("percent-encoded-ids", "Letters of an id in the path may come percent-encoded.") { visit, row in
            let encoded = (row.id ?? "").utf8.map {
                "%" + String(UInt16($0) | 0x100, radix: 16).dropFirst().uppercased()
            }.joined()
            try await visit.send(visit.request(.get, "\(visit.path())/\(encoded)")).expect(status: 200)
        },
        .ofRow("unknown-parameters", "A parameter of an app's own changes nothing.") { visit, row in
            try await visit.read(row.id, [("zcColour", "blue & green")]).expect(status: 200)
            try visit.expect(await visit.listed([("zcColour", "blue & green")]), has: [row.id ?? ""], as: "the row")
        },
        .ofRow(
            "never-304", "A read by id is answered in full, whatever it says of copies: clients expect no 304.",
            on: [.v2]
        ) { visit, row in
            let tag = CurlField("If-None-Match", "\"\(row.version ?? "")\"")
            try await visit.read(row.id, fields: [tag]).expect(status: 200)
        },
        .ofRow("if-none-match-answers-304", "A copy that is still true answers 304 without a body.", on: [.v1, .v3]) {
            visit, row in
            let answer = try await visit.read(row.id, fields: [CurlField("If-None-Match", "\"\(row.version ?? "")\"")])
            try answer.expect(status: 304)
            try answer.expect(answer.body.isEmpty, "no body", came: "\(answer.body.count) bytes")
        },
        .ofRow("if-none-match-of-another-version", "A copy of another version answers the row.", on: [.v1, .v3]) {
            visit, row in
            let old = row.version ?? ""
            _ = try await visit.updated(row, visit.text("second"))
            try await visit.read(row.id, fields: [CurlField("If-None-Match", "\"\(old)\"")]).expect(status: 200)
        },
    ]
}

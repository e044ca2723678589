import CurlClient
import HTTPModel
import JSONText

extension Checks {
    /// What only clients of Datasync know.
    static let datasync: [Check] = [
        Check("datasync/put-replaces", "A replacement sets every column that it does not name to nothing.", on: [.v3]) {
            visit in
            let row = try await visit.made(.number(4.5))
            let number = try visit.column(.number)
            try await visit.update(row.id, .text("\(visit.mark) second")).expect(status: 200)
            let found = try await visit.row(row.id)[number]
            let isUnset = found?.numberValue == 0 || found == .null
            try visit.expect(isUnset, "\(number): 0 or null", came: found?.json ?? "none")
        },
        .ofRow(
            "datasync/put-ignores-the-bodys-version", "A version in the body of a replacement is no condition.",
            on: [.v3]
        ) { visit, row in
            _ = try await visit.updated(row, .text("\(visit.mark) theirs"))
            let old = [JSONMember("version", .string(row.version ?? ""))]
            try await visit.update(row.id, .text("\(visit.mark) mine"), more: old).expect(status: 200)
        },
        .ofRow(
            "datasync/put-answers-the-new-version", "A replacement answers the version that the row has now.", on: [.v3]
        ) { visit, row in
            let answer = try await visit.update(row.id, .text("\(visit.mark) second"))
            let now = try await visit.row(row.id)
            try answer.expect(
                answer.object?.version == now.version, "the version \(now.version ?? "")",
                came: answer.object?.version ?? "none")
        },
        Check("datasync/patch-merges", "A PATCH changes what it names and leaves the rest.", on: [.v3]) { visit in
            let row = try await visit.made(.number(4.5))
            let text = try visit.column(.text)
            let number = try visit.column(.number)
            try await patch(visit, row, try visit.json([.text("\(visit.mark) second")])).expect(status: 200)
            let found = try await visit.row(row.id)
            try visit.expect(
                found[text] == .string("\(visit.mark) second") && found[number]?.numberValue == 4.5,
                "the new text and \(number): 4.5", came: found.json)
        },
        Check("datasync/json-patch", "A JSON patch replaces what it names and leaves the rest.", on: [.v3]) { visit in
            let row = try await visit.made(.number(4.5))
            let text = try visit.column(.text)
            let number = try visit.column(.number)
            let body = #"[{"op":"replace","path":"/\#(text)","value":"\#(visit.mark) second"}]"#
            try await patch(visit, row, body, type: jsonPatch).expect(status: 200)
            let found = try await visit.row(row.id)
            try visit.expect(
                found[text] == .string("\(visit.mark) second") && found[number]?.numberValue == 4.5,
                "the new text and \(number): 4.5", came: found.json)
        },
        .ofRow(
            "datasync/json-patch-of-the-version-answers-400",
            "A patch that would set id, version or updatedAt answers 400.", on: [.v3]
        ) { visit, row in
            for name in ["id", "version", "updatedAt"] {
                let body = #"[{"op":"replace","path":"/\#(name)","value":"2001-02-03T04:05:06.789Z"}]"#
                try await patch(visit, row, body, type: jsonPatch).expect(status: 400, for: name)
            }
        },
        .ofRow(
            "datasync/an-unknown-operation-answers-400",
            "A JSON patch with an operation that there is not answers 400.", on: [.v3]
        ) { visit, row in
            try await patch(visit, row, #"[{"op":"zap","path":"/id"}]"#, type: jsonPatch).expect(status: 400)
        },
        .ofRow(
            "datasync/patch-of-a-stale-version-answers-412",
            "A PATCH whose If-Match is an old version answers 412 with the row.", on: [.v3]
        ) { visit, row in
            let theirs = try await visit.updated(row, .text("\(visit.mark) theirs"))
            let body = try visit.json([.text("\(visit.mark) mine")])
            try await patch(visit, row, body, fields: [CurlField("If-Match", tag(row))])
                .expect(status: 412).expect(row: theirs, "the current row")
        },
        .ofTombstone(
            "datasync/undelete-by-put",
            "A replacement of a deleted row brings it back where deleted rows are included.", on: [.v3]
        ) { visit, row in
            let more = [JSONMember("deleted", false)]
            let answer = try await visit.update(
                row.id, .text("\(visit.mark) back"), more: more, query: [visit.dialect.includesDeleted])
            guard answer.status != 410 else {
                throw CheckEnd.skipped("the server brings no row back by PUT, as Microsoft's did not")
            }
            try answer.expect(status: 200)
            let found = try await visit.row(row.id)
            try visit.expect(!found.isDeleted, "deleted: false", came: found.json)
        },
        .ofTombstone(
            "datasync/deleted-rows-need-the-flag", "A filter for deleted rows finds them only where they are included.",
            on: [.v3]
        ) { visit, row in
            try visit.expect(await visit.listed(where: "deleted eq true"), has: [], as: "no rows")
            let listing = try await visit.listed([visit.dialect.includesDeleted], where: "deleted eq true")
            try visit.expect(listing, has: [row.id ?? ""], as: "the deleted row")
        },
        Check("datasync/another-content-type-answers-415", "A body that is not called JSON answers 415.", on: [.v3]) {
            visit in
            let body = try visit.json(id: visit.newID(), [.text("\(visit.mark) tea")])
            let type = CurlField("Content-Type", "text/csv")
            try await visit.send(visit.request(.post, visit.path(), fields: [type], body: body)).expect(status: 415)
        },
        .ofShelf(
            "datasync/option-names-in-any-case", "Options may be written in any case, and without their $.", on: [.v3]
        ) { visit, shelf in
            let listing = try await visit.listed([("orderby", "id desc"), ("$TOP", "2")], mark: shelf.mark)
            try visit.expect(listing, has: shelf.ids("fe"), as: "the last two")
        },
        .ofShelf(
            "datasync/an-unknown-select", "$select of a column that there is not answers 400, or no rows.", on: [.v3]
        ) { visit, shelf in
            let answer = try await visit.list([("$select", "zcnosuchcolumn")], mark: shelf.mark)
            try answer.expect(status: 200, 400)
            // A table that takes new columns has none of that name yet.
            guard answer.status == 200 else { return }
            try visit.expect(answer.listing(), has: [], as: "no rows")
        },
        Check(
            "datasync/all-members-of-a-list",
            "A list has items, count and nextLink, null where there is nothing to say.", on: [.v3]
        ) { visit in
            let listing = try await visit.listed()
            for name in ["items", "count", "nextLink"] {
                try listing.answer.expect(
                    listing.answer.object?[name] != nil || name == "count", "a member \(name)", came: "none")
            }
            try listing.answer.expect(
                listing.count == nil || listing.count == .null, "no count that was not asked for",
                came: listing.count?.json ?? "")
        },
    ]

    private static let jsonPatch = "application/json-patch+json"

    /// Sends a PATCH; a server without any is none to try it on.
    private static func patch(
        _ visit: CheckContext, _ row: Row, _ body: String, type: String = "application/json", fields: [CurlField] = []
    ) async throws(CheckEnd) -> CheckedResponse {
        let fields = fields + [CurlField("Content-Type", type)]
        let answer = try await visit.send(visit.request(.patch, visit.path(nil, row.id), fields: fields, body: body))
        guard answer.status != 405 else {
            throw .skipped("the server has no PATCH, as the Community Toolkit's has none")
        }
        return answer
    }
}

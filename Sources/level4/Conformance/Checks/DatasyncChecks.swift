import CurlClient
import HTTPModel
import JSONText

extension Checks {
    /// What only clients of Datasync know.
    static let datasync: [Check] = [
        Check("put-replaces", "A replacement sets every column that it does not name to nothing.") { context in
            let row = try await context.made(.number(4.5))
            let number = try context.column(.number)
            try await context.update(row.id, context.text("second")).expect(status: 200)
            let found = try await context.row(row.id)[number]
            let isUnset = found?.numberValue == 0 || found == .null
            try context.expect(isUnset, "\(number): 0 or null", came: found?.json)
        },
        .ofRow("put-ignores-the-bodys-version", "A version in the body of a replacement is no condition.") {
            context, row in
            _ = try await context.updated(row, context.text("theirs"))
            let old = [JSONMember("version", .string(row.version ?? ""))]
            try await context.update(row.id, context.text("mine"), more: old).expect(status: 200)
        },
        .ofRow("put-answers-the-new-version", "A replacement answers the version that the row has now.") {
            context, row in
            let answer = try await context.update(row.id, context.text("second"))
            let now = try await context.row(row.id)
            try answer.expect(
                answer.object?.version == now.version, "the version \(now.version ?? "")",
                came: answer.object?.version)
        },
        Check("patch-merges", "A PATCH changes what it names and leaves the rest.") { context in
            let row = try await context.made(.number(4.5))
            try await patch(context, row, try context.json([context.text("second")])).expect(status: 200)
            try await expectMerged(context, row)
        },
        Check("json-patch", "A JSON patch replaces what it names and leaves the rest.") { context in
            let row = try await context.made(.number(4.5))
            let text = try context.column(.text)
            let body = #"[{"op":"replace","path":"/\#(text)","value":"\#(context.mark) second"}]"#
            try await patch(context, row, body, type: jsonPatch).expect(status: 200)
            try await expectMerged(context, row)
        },
        .ofRow(
            "json-patch-of-the-version-answers-400",
            "A patch that would set id, version or updatedAt answers 400."
        ) { context, row in
            for name in ["id", "version", "updatedAt"] {
                let body = #"[{"op":"replace","path":"/\#(name)","value":"2001-02-03T04:05:06.789Z"}]"#
                try await patch(context, row, body, type: jsonPatch).expect(status: 400, for: name)
            }
        },
        .ofRow("an-unknown-operation-answers-400", "A JSON patch with an operation that there is not answers 400.") {
            context, row in
            try await patch(context, row, #"[{"op":"zap","path":"/id"}]"#, type: jsonPatch).expect(status: 400)
        },
        .ofRow(
            "patch-of-a-stale-version-answers-412",
            "A PATCH whose If-Match is an old version answers 412 with the row."
        ) { context, row in
            let theirs = try await context.updated(row, context.text("theirs"))
            let body = try context.json([context.text("mine")])
            try await patch(context, row, body, fields: [CurlField("If-Match", tag(row))])
                .expect(status: 412).expect(row: theirs, "the current row")
        },
        .ofTombstone(
            "undelete-by-put",
            "A replacement of a deleted row brings it back where deleted rows are included."
        ) { context, row in
            let more = [JSONMember("deleted", false)]
            let answer = try await context.update(
                row.id, context.text("back"), more: more, query: [context.dialect.includesDeleted])
            guard answer.status != 410 else {
                throw Verdict.skipped("the server brings no row back by PUT, as Microsoft's did not")
            }
            try answer.expect(status: 200)
            let found = try await context.row(row.id)
            try context.expect(!found.isDeleted, "deleted: false", came: found.json)
        },
        .ofTombstone(
            "deleted-rows-need-the-flag", "A filter for deleted rows finds them only where they are included."
        ) { context, row in
            try context.expect(await context.listed(where: "deleted eq true"), has: [], as: "no rows")
            let listing = try await context.listed([context.dialect.includesDeleted], where: "deleted eq true")
            try context.expect(listing, has: [row.id ?? ""], as: "the deleted row")
        },
        Check("another-content-type-answers-415", "A body that is not called JSON answers 415.") { context in
            let body = try context.json(id: context.newID(), [context.text("tea")])
            let type = CurlField("Content-Type", "text/csv")
            try await context.send(context.request(.post, context.path(), fields: [type], body: body)).expect(
                status: 415)
        },
        .ofSamples("option-names-in-any-case", "Options may be written in any case, and without their $.") {
            context, samples in
            let listing = try await context.listed([("orderby", "id desc"), ("$TOP", "2")], mark: samples.mark)
            try context.expect(listing, has: samples.ids("fe"), as: "the last two")
        },
        .ofSamples("an-unknown-select", "$select of a column that there is not answers 400, or no rows.") {
            context, samples in
            let answer = try await context.list([("$select", "zcnosuchcolumn")], mark: samples.mark)
            try answer.expect(status: 200, 400)
            // A table that takes new columns has none of that name yet.
            guard answer.status == 200 else { return }
            try context.expect(answer.listing(), has: [], as: "no rows")
        },
        Check("all-members-of-a-list", "A list has items, count and nextLink, null where there is nothing to say.") {
            context in
            let listing = try await context.listed()
            for name in ["items", "count", "nextLink"] {
                try listing.expect(
                    listing.answer.object?[name] != nil || name == "count", "a member \(name)", came: "none")
            }
            try listing.expect(
                listing.count == nil || listing.count == .null, "no count that was not asked for",
                came: listing.count?.json)
        },
    ]

    /// The row has to have its new text, and its number as before.
    private static func expectMerged(_ context: CheckContext, _ row: Row) async throws(Verdict) {
        let number = try context.column(.number)
        let found = try await context.row(row.id)
        try context.expect(
            found[context.column(.text)] == context.text("second").value && found[number]?.numberValue == 4.5,
            "the new text and \(number): 4.5", came: found.json)
    }

    private static let jsonPatch = "application/json-patch+json"

    /// Sends a PATCH; a server without any is none to try it on.
    private static func patch(
        _ context: CheckContext, _ row: Row, _ body: String, type: String = "application/json", fields: [CurlField] = []
    ) async throws(Verdict) -> CheckedResponse {
        let fields = fields + [CurlField("Content-Type", type)]
        let answer = try await context.send(
            context.request(.patch, context.path(nil, row.id), fields: fields, body: body))
        guard answer.status != 405 else {
            throw .skipped("the server has no PATCH, as the Community Toolkit's has none")
        }
        return answer
    }
}

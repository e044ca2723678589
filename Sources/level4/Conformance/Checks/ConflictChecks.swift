import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let conflict: [Check] = [
        .ofRow("the-current-version-writes", "An update whose If-Match is the current version is done.") {
            context, row in
            try await context.update(row.id, context.text("second"), ifMatch: tag(row)).expect(status: 200)
        },
        .ofRow("a-stale-version-answers-412", "An update whose If-Match is an old version answers 412.") {
            context, row in
            _ = try await context.updated(row, context.text("theirs"))
            try await context.update(row.id, context.text("mine"), ifMatch: tag(row)).expect(status: 412)
        },
        Check("412-carries-the-current-row", "A 412 has the whole row in its body, as it is now.") { context in
            let (row, answer) = try await refused(context)
            let now = try await context.row(row.id)
            try answer.expect(row: now, "the row as it is now: \(now.json)")
        },
        Check("412-names-the-version", "The ETag of a 412, where there is one, is the current version.") { context in
            let (_, answer) = try await refused(context)
            guard answer["ETag"] != nil || context.generation != .v2 else {
                throw Verdict.skipped("the server's 412 has no ETag, as that of the .NET servers")
            }
            try answer.expectTag(of: answer.row())
        },
        .ofRow("412-leaves-the-row", "An update that is refused changes nothing.") { context, row in
            let theirs = try await context.updated(row, context.text("theirs"))
            let before = try await context.row(row.id)
            try await context.update(row.id, context.text("mine"), ifMatch: tag(row)).expect(status: 412)
            let after = try await context.row(row.id)
            try context.expect(
                after.says(before) && after.version == theirs.version, "the row as it was", came: after.json)
        },
        .ofRow(
            "an-impossible-version", "An If-Match that can't be a version is one that does not match: 412.",
            on: [.v1, .v3]
        ) { context, row in
            try await context.update(row.id, context.text("mine"), ifMatch: "\"3q3A3g==\"").expect(status: 412)
        },
        .ofRow("a-star-writes", "If-Match: * asks for no version, so the update is done.") { context, row in
            try await context.update(row.id, context.text("second"), ifMatch: "*").expect(status: 200)
        },
        .ofRow(
            "a-stale-version-in-the-body-answers-409",
            "An old version in the body, without If-Match, answers 409 with the row.", on: [.v2]
        ) { context, row in
            let theirs = try await context.updated(row, context.text("theirs"))
            let answer = try await context.update(
                row.id, context.text("mine"), more: [JSONMember("version", .string(row.version ?? ""))])
            try answer.expect(status: 409)
            try answer.expect(answer.row().version == theirs.version, "the current row", came: answer.object?.json)
        },
        .ofRow("if-match-beats-the-body", "If-Match counts where the body has another version.", on: [.v2]) {
            context, row in
            let theirs = try await context.updated(row, context.text("theirs"))
            let version = [JSONMember("version", .string(row.version ?? ""))]
            try await context.update(row.id, context.text("mine"), ifMatch: tag(theirs), more: version)
                .expect(status: 200)
        },
        .ofRow("one-winner", "Of four updates at once with one version, one is done and three answer 412.") {
            context, row in
            var requests: [CurlRequest] = []
            for number in 1...4 {
                requests.append(try context.updating(row.id, [context.text("device \(number)")], ifMatch: tag(row)))
            }
            let statuses = try await context.sendAtOnce(requests).map(\.status).sorted()
            try context.expect(
                statuses == [200, 412, 412, 412], "200 once and 412 three times",
                came: statuses.map(String.init).joined(separator: ", "))
        },
        .ofRow("a-stale-delete-answers-412", "A delete whose If-Match is an old version answers 412 with the row.") {
            context, row in
            _ = try await context.updated(row, context.text("theirs"))
            let answer = try await context.delete(row.id, ifMatch: tag(row)).expect(status: 412)
            let now = try await context.row(row.id)
            try answer.expect(row: now, "the row as it is now: \(now.json)")
        },
        Check("take-the-servers", "A device that lost goes on from the row in the 412: its next update is done.") {
            context in
            let (row, answer) = try await refused(context)
            let server = try answer.row()
            try await context.update(row.id, context.text("merged"), ifMatch: tag(server)).expect(status: 200)
            let now = try await context.row(row.id)
            try context.expect(
                now[context.column(.text)] == context.text("merged").value, "the merged text", came: now.json)
        },
        Check("take-the-clients", "A device that will win sends its row again without a version, and is done.") {
            context in
            let (row, _) = try await refused(context)
            try await context.update(row.id, context.text("mine")).expect(status: 200)
        },
        .ofRow("deleted-meanwhile", "A device that updates what another deleted is told so, and not that it is done.") {
            context, row in
            try await context.deleted(row)
            let answer = try await context.update(row.id, context.text("mine"), ifMatch: tag(row))
            try answer.expect(status: 404, 410, 412)
            guard answer.status == 412 else { return }
            try answer.expect(answer.row().isDeleted, "the deleted row", came: answer.object?.json)
        },
        Check("a-retried-insert", "A device that does not know whether its insert arrived is told so: 409.") {
            context in
            let id = context.newID()
            let request = context.request(.post, context.path(), body: try context.json(id: id, [context.text("tea")]))
            try await context.send(request).expect(status: 201)
            try await context.send(request).expect(status: 409)
        },
    ]

    /// The If-Match of a row.
    static func tag(_ row: Row) -> String { "\"\(row.version ?? "")\"" }

    /// A row that another device has updated, and the answer to an update that does not know.
    private static func refused(_ context: CheckContext) async throws(Verdict) -> (Row, CheckedResponse) {
        let row = try await context.made()
        _ = try await context.updated(row, context.text("theirs"))
        let answer = try await context.update(row.id, context.text("mine"), ifMatch: tag(row))
        try answer.expect(!answer.isSuccess, "a refusal", came: "status \(answer.status)")
        return (row, answer)
    }
}

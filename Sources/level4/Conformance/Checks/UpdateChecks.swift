import CurlClient
import JSONText

extension Checks {
    static let update: [Check] = [
        .ofRow("answers-200", "An update answers 200 with the change in the row.") { context, row in
            let answer = try await context.update(row.id, context.text("second")).expect(status: 200)
            try answer.expect(
                answer.row()[context.column(.text)] == context.text("second").value, "the text that was sent",
                came: answer.object?.json)
        },
        Check(
            "answers-the-whole-row", "An update answers every column, also those that it did not name.",
            on: [.v2, .v3]
        ) { context in
            let row = try await context.made(.number(4.5))
            let cells: [Cell] = [context.text("second")] + (context.generation == .v3 ? [.number(4.5)] : [])
            let answer = try await context.send(context.updating(row.id, cells))
            let found = try answer.row()
            for member in row.members {
                try answer.expect(found[member.name] != nil, "a member \(member.name)", came: "none")
            }
            let now = try await context.row(row.id)
            try answer.expect(row: now, "what a read answers next: \(now.json)")
        },
        Check("keeps-what-it-does-not-name", "A column that an update does not name stays as it is.", on: [.v1, .v2]) {
            context in
            let row = try await context.made(.number(4.5))
            _ = try await context.updated(row, context.text("second"))
            let number = try context.column(.number)
            let found = try await context.row(row.id)[number]
            try context.expect(found?.numberValue == 4.5, "\(number): 4.5", came: found?.json)
        },
        .ofRow("is-kept", "What an update answered is what a read answers.") { context, row in
            _ = try await context.updated(row, context.text("second"))
            let found = try await context.row(row.id)[context.column(.text)]
            try context.expect(found == context.text("second").value, "the new text", came: found?.json)
        },
        .ofRow("renews-the-version", "Every update gives the row another version.") { context, row in
            let found = try await context.updated(row, context.text("second"))
            try context.expect(
                found.version != nil && found.version != row.version, "another version than \(row.version ?? "")",
                came: found.version)
        },
        .ofRow("renews-updatedAt", "Every update gives the row a later stamp.") { context, row in
            let found = try await context.updated(row, context.text("second"))
            try context.expect(
                later(found.updatedAt, than: row.updatedAt),
                "a later \(context.dialect.updatedAt) than \(row.updatedAt ?? "")", came: found.updatedAt)
        },
        .ofRow("keeps-createdAt", "An update leaves the time of the insert alone.", on: [.v1, .v2]) { context, row in
            _ = try await context.updated(row, context.text("second"))
            let found = try await context.row(row.id)
            try context.expect(
                found.createdAt != nil && found.createdAt == row.createdAt, "the stamp \(row.createdAt ?? "")",
                came: found.createdAt)
        },
        .ofRow("etag-is-the-new-version", "The ETag of an update is the row's new version.") { context, row in
            let answer = try await context.update(row.id, context.text("second"))
            try answer.expectTag(of: answer.row())
            try answer.expect(answer.strongTag != row.version, "another ETag than before", came: row.version)
        },
        Check("to-null", "An update may set a column to null.") { context in
            let row = try await context.made(.date("2001-02-03T04:05:06.789Z"))
            let date = try context.column(.date)
            let cells: [Cell] = [context.text("second"), .none(.date)]
            try await context.send(context.updating(row.id, cells)).expect(status: 200)
            let found = try await context.row(row.id)[date]
            try context.expect(found == .null, "\(date): null", came: found?.json)
        },
        .ofRow("an-empty-change", "An update that names the id alone answers the row.", on: [.v1, .v2]) {
            context, row in
            try await context.update(row.id).expect(status: 200)
            let text = try context.column(.text)
            let found = try await context.row(row.id)
            try context.expect(found[text] == row[text], "the text as it was", came: found.json)
        },
        .ofRow("an-id-mismatch-answers-400", "An id in the body that is not the path's answers 400.") { context, row in
            let other = try await context.made()
            let body = try context.json(id: other.id, [context.text("second")])
            try await context.send(context.request(context.dialect.updateMethod, context.path(nil, row.id), body: body))
                .expect(status: 400)
            try await context.expect(row.id, is: row, "the row as it was")
        },
        Check("a-missing-row-answers-404", "An update of no row answers 404, and makes none.") { context in
            let id = context.newID()
            try await context.update(id, context.text("second")).expect(status: 404)
            try await context.read(id).expect(status: 404)
        },
        .ofTombstone(
            "a-deleted-row", "An update of a deleted row with its version is refused: 404, and 410 in Datasync."
        ) { context, row in
            try await context.update(row.id, context.text("second"), ifMatch: tag(row))
                .expect(status: context.dialect.gone)
        },
        .ofRow("malformed-json-answers-400", "A body that is no JSON answers 400, and changes nothing.") {
            context, row in
            try await context.send(context.request(context.dialect.updateMethod, context.path(nil, row.id), body: "{"))
                .expect(status: 400)
            try await context.expect(row.id, is: row, "the row as it was")
        },
    ]
}

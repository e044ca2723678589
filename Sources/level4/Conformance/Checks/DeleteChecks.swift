import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let delete: [Check] = [
        .ofRow("answers", "A delete answers 200 with the row, or 204 with nothing; v1 and Datasync only 204.") {
            context, row in
            let answer = try await context.delete(row.id)
            guard context.generation == .v2, answer.status == 200 else {
                try answer.expect(status: 204)
                try answer.expect(answer.body.isEmpty, "no body", came: "\(answer.body.count) bytes")
                return
            }
            try answer.expect(answer.row().id == row.id, "the deleted row", came: answer.object?.json)
        },
        .ofRow("no-etag-without-a-body", "A delete that answers no body has no ETag: .NET clients fail on it.") {
            context, row in
            let answer = try await context.delete(row.id)
            try answer.expect(answer.isSuccess, "a delete that is done", came: "status \(answer.status)")
            let hasBody = !answer.body.isEmpty
            try answer.expect(hasBody || answer["ETag"] == nil, "no ETag", came: answer["ETag"])
        },
        .ofRow("with-the-current-version", "A delete whose If-Match is the current version is done.") { context, row in
            let answer = try await context.delete(row.id, ifMatch: tag(row))
            try answer.expect(answer.isSuccess, "a delete that is done", came: "status \(answer.status)")
            try await context.read(row.id).expect(status: context.dialect.gone)
        },
        Check("a-missing-row-answers-404", "A delete of no row answers 404.") { context in
            try await context.delete(context.newID()).expect(status: 404)
        },
        .ofTombstone("again", "A second delete answers that the row is gone: 404, and 410 in Datasync.") {
            context, row in
            try await context.delete(row.id).expect(status: context.dialect.gone)
        },
        .ofRow("hides-the-row", "A list leaves deleted rows out.") { context, row in
            _ = try await context.tombstone()
            try context.expect(await context.listed(), has: [row.id ?? ""], as: "the row that is left")
        },
        Check("counts-no-deleted-row", "A count leaves deleted rows out.") { context in
            _ = try await context.made()
            _ = try await context.tombstone()
            let listing = try await context.listed([context.dialect.counts])
            try listing.expect(listing.count == 1, "the count 1", came: listing.count?.json)
        },
        Check("shows-the-row-on-request", "A list that asks for deleted rows has them, marked as deleted.") { context in
            let live = try await context.made()
            let dead = try await context.tombstone()
            let listing = try await context.listed([context.dialect.includesDeleted])
            for (id, isDeleted) in [(live.id, false), (dead.id, true)] {
                let found = listing.rows.first { $0.id == id }?[context.dialect.deleted]
                try listing.expect(
                    found == .boolean(isDeleted), "\(context.dialect.deleted): \(isDeleted) of \(id ?? "")",
                    came: found?.json ?? "no such row")
            }
        },
        .ofRow("false-asks-for-nothing", "A list that says `false` to deleted rows has none.", on: [.v1, .v3]) {
            context, row in
            _ = try await context.tombstone()
            let listing = try await context.listed([(context.dialect.includesDeleted.0, "false")])
            try context.expect(listing, has: [row.id ?? ""], as: "the row that is left")
        },
        .ofRow("renews-version-and-stamp", "A delete gives the row another version and a later stamp.") {
            context, row in
            try await context.deleted(row)
            try expectNewer(await context.listed([context.dialect.includesDeleted]).rows.first, than: row, context)
        },
        Check("hard", "Without soft delete a deleted row is gone for good, and its id is free.") { context in
            let table = context.target.hardTable
            let row = try await context.madeHard()
            try await context.deleted(row, from: table)
            try await context.read(row.id, from: table).expect(status: 404)
            let again = try await context.insert(id: row.id, [context.text("again")], into: table)
            try again.expect(status: 201, for: "an insert with the id of a row that is gone")
        },
    ]

    static let undelete: [Check] = [
        .ofTombstone("brings-the-row-back", "An undelete answers the row, not deleted, and the row is found again.") {
            context, row in
            let answer = try await context.undelete(row)
            try answer.expect(answer.isSuccess, "status 200 or 201", came: "status \(answer.status) \(answer.reason)")
            try answer.expect(answer.row().id == row.id, "the row", came: answer.object?.json)
            let found = try await context.row(row.id)
            try context.expect(!found.isDeleted, "a row that is not deleted", came: found.json)
            try context.expect(await context.listed(), has: [row.id ?? ""], as: "the row in a list")
        },
        .ofTombstone("renews-version-and-stamp", "An undelete gives the row another version and a later stamp.") {
            context, row in
            try expectNewer(await context.undelete(row).row(), than: row, context)
        },
        .ofRow("a-stale-version-answers-412", "An undelete whose If-Match is an old version answers 412.") {
            context, row in
            try await context.deleted(row)
            try await context.undelete(row, ifMatch: tag(row)).expect(status: 412)
            try await context.read(row.id).expect(status: context.dialect.gone)
        },
        Check("a-missing-row-answers-404", "An undelete of no row answers 404.", on: [.v1, .v2]) { context in
            try await context.send(context.request(.post, context.path(nil, context.newID()), body: "")).expect(
                status: 404)
        },
    ]

    /// A row has to be in another state than before.
    private static func expectNewer(_ now: Row?, than row: Row, _ context: CheckContext) throws(Verdict) {
        try context.expect(now?.version != nil && now?.version != row.version, "another version", came: now?.version)
        try context.expect(
            later(now?.updatedAt, than: row.updatedAt), "a later stamp than \(row.updatedAt ?? "")",
            came: now?.updatedAt)
    }
}

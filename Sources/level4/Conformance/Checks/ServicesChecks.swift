import CurlClient
import HTTPModel
import JSONText

extension Checks {
    /// What only clients of Mobile Services know.
    static let services: [Check] = [
        Check("system-columns-on-request", "System columns come only to who asks for them.") { context in
            let body = try context.json(id: context.newID(), [context.text("tea")])
            let answer = try await context.send(
                context.request(.post, context.path(), body: body, asksForSystem: false))
            let names = try answer.row().members.map(\.name).filter { $0.hasPrefix("__") }
            try answer.expect(names.isEmpty, "no member that begins with __", came: names.joined(separator: ", "))
            let read = try await context.send(
                context.request(.get, context.path(nil, answer.object?.id), asksForSystem: false))
            let found = try read.row().members.map(\.name).filter { $0.hasPrefix("__") }
            try read.expect(found.isEmpty, "no member that begins with __", came: found.joined(separator: ", "))
        },
        .ofRow("no-etag-unasked", "Without the version in the row there is no ETag.") { context, row in
            let answer = try await context.send(context.request(.get, context.path(nil, row.id), asksForSystem: false))
            try answer.expect(status: 200)
            try answer.expect(answer["ETag"] == nil, "no ETag", came: answer["ETag"])
        },
        .ofRow("one-system-column", "A system column may be asked for alone, with and without __.") { context, row in
            for name in ["__version", "version", "__VERSION"] {
                let answer = try await context.send(
                    context.request(
                        .get, context.path(nil, row.id), [("__systemProperties", name)], asksForSystem: false))
                let names = try answer.row().members.map(\.name).filter { $0.hasPrefix("__") }
                try answer.expect(names == ["__version"], "__version for \(name)", came: names.joined(separator: ", "))
            }
        },
        Check("an-unknown-system-column-answers-400", "A system column that there is not answers 400.") { context in
            let request = context.request(
                .get, context.path(), [("__systemProperties", "__colour")], asksForSystem: false)
            try await context.send(request).expect(status: 400)
        },
        Check("lists-with-system-columns", "A list has the system columns that are asked for, in every row.") {
            context in
            _ = try await context.made()
            let listing = try await context.listed()
            for name in context.dialect.systemColumns + [context.dialect.deleted] {
                try listing.expect(
                    listing.rows.first?[name] != nil, "a member \(name)", came: listing.rows.first?.json ?? "no rows")
            }
        },
        .ofRow("system-columns-by-select", "A system column that $select names comes without being asked for.") {
            context, row in
            let query = [("$filter", "id eq '\(row.id ?? "")'"), ("$select", "id,__version")]
            let listing = try await context.send(context.request(.get, context.path(), query, asksForSystem: false))
                .listing()
            try listing.expect(
                listing.rows.first?.version == row.version, "__version: \(row.version ?? "")",
                came: listing.rows.first?.json ?? "no rows")
        },
        .ofRow("reserved-names-answer-400", "A body with a name that begins with __ answers 400.") { context, row in
            for name in ["__version", "__updatedAt", "__anything"] {
                let answer = try await context.update(row.id, context.text("second"), more: [JSONMember(name, "x")])
                try answer.expect(status: 400, for: name)
            }
        },
        Check("unknown-options-answer-400", "An option that begins with $ or __ and that there is not answers 400.") {
            context in
            for name in ["$colour", "__colour"] {
                try await context.list([(name, "blue")]).expect(status: 400, for: name)
            }
        },
        .ofRow("a-lookup-takes-no-page", "$top, $skip and $orderby of a single row answer 400.") { context, row in
            for option in [("$top", "1"), ("$skip", "1"), ("$orderby", "id")] {
                try await context.read(row.id, [option]).expect(status: 400, for: option.0)
            }
        },
        Check("inlinecount-of-another-word-answers-400", "$inlinecount is allpages or none.") { context in
            try await context.list([("$inlinecount", "some")]).expect(status: 400)
            let listing = try await context.listed([("$inlinecount", "none")])
            try listing.expect(listing.count == nil, "no count", came: listing.count?.json)
        },
        .ofRow("other-methods-answer-405", "PUT of a row answers 405 and names the methods that there are.") {
            context, row in
            let answer = try await context.send(context.request(.put, context.path(nil, row.id), body: "{}"))
            try answer.expect(status: 405)
            let allowed = answer["Allow"] ?? ""
            try answer.expect(allowed.contains("PATCH"), "PATCH in Allow", came: allowed.isEmpty ? "no Allow" : allowed)
        },
        .ofTombstone("an-undelete-takes-no-body", "An undelete with a row in its body answers 400.") { context, row in
            let body = try context.json([context.text("second")])
            try await context.send(context.request(.post, context.path(nil, row.id), body: body)).expect(status: 400)
        },
        Check("no-undelete-without-soft-delete", "An undelete where rows are gone for good answers 400.") { context in
            let row = try await context.madeHard()
            let answer = try await context.send(
                context.request(.post, context.path(context.target.hardTable, row.id), body: ""))
            try answer.expect(status: 400)
        },
        .ofRow("a-stale-update-of-a-deleted-row", "An old version goes before the delete: 412 with the deleted row.") {
            context, row in
            try await context.deleted(row)
            let answer = try await context.update(row.id, context.text("second"), ifMatch: tag(row))
            try answer.expect(status: 412)
            try answer.expect(answer.row().isDeleted, "__deleted: true", came: answer.object?.json)
        },
    ]
}

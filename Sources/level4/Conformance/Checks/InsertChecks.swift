import Foundation
import HTTPModel
import JSONText

extension Checks {
    static let insert: [Check] = [
        Check("answers-201", "An insert answers 201.") { context in
            try await context.insert(id: context.newID(), [context.text("tea")]).expect(status: 201)
        },
        Check("answers-the-row", "An insert answers the row as it was stored.") { context in
            let answer = try await context.insert(id: context.newID(), [context.text("tea")])
            let row = try answer.row()
            let text = try context.column(.text)
            try answer.expect(
                row[text] == context.text("tea").value, "the text that was sent in the answer",
                came: row[text]?.json ?? "no member \(text)")
        },
        Check("etag-is-the-version", "The ETag of an inserted row is its version, strong and in quotes.") { context in
            let answer = try await context.insert(id: context.newID(), [context.text("tea")])
            try answer.expectTag(of: answer.row())
        },
        Check("location-names-the-row", "Where an insert names a Location, it is the address of the row.") { context in
            let id = context.newID()
            let answer = try await context.insert(id: id, [context.text("tea")])
            guard let location = answer["Location"] else {
                guard context.generation != .v2 else {
                    throw Verdict.skipped("the server sends no Location, as some servers of Mobile Apps did")
                }
                try answer.expect(false, "a Location", came: "none")
                return
            }
            let path = location.prefix { $0 != "?" && $0 != "#" }
            let last = path.split(separator: "/").last.flatMap { String($0).removingPercentEncoding }
            try answer.expect(
                last == id && path.lowercased().contains("/\(context.target.table.lowercased())/"),
                "an address that ends in \(context.target.table)/\(id)", came: location)
        },
        Check("makes-an-id", "A row without an id gets one from the server.") { context in
            let first = try await context.insert([context.text("1")]).row()
            let second = try await context.insert([context.text("2")])
            let other = try second.row()
            try second.expect(
                other.id?.isEmpty == false && other.id != first.id, "two ids for two rows",
                came: "\(first.id ?? "") and \(other.id ?? "")")
            _ = try await context.row(other.id)
        },
        Check("null-is-no-id", "An id that is null counts as none.") { context in
            let answer = try await context.insert([context.text("1")], more: [JSONMember("id", nil)])
            try answer.expect(status: 201)
            try answer.expect(answer.row().id?.isEmpty == false, "an id", came: "none")
        },
        Check("empty-text-is-no-id", "An id that is empty counts as none.", on: [.v1]) { context in
            let answer = try await context.insert(id: "", [context.text("1")]).expect(status: 201)
            try answer.expect(answer.row().id?.isEmpty == false, "an id", came: "none")
        },
        Check("keeps-a-given-id", "An id that the client made is kept.") { context in
            let id = context.newID()
            let answer = try await context.insert(id: id, [context.text("tea")])
            try answer.expect(answer.row().id == id, "the id \(id)", came: answer.object?.id)
            _ = try await context.row(id)
        },
        Check("ids-of-any-script", "Ids may have blanks, apostrophes and letters of every script.", on: [.v1, .v2]) {
            context in
            let id = "\(context.newID()) it's é 日本 (x), y; ~!"
            try await context.insert(id: id, [context.text("tea")]).expect(status: 201)
            let found = try await context.row(id)
            try context.expect(found.id == id, "the id \(id)", came: found.id)
            let listing = try await context.listed(where: "id eq '\(id.replacing("'", with: "''"))'")
            try context.expect(listing, has: [id], as: "the row of that id")
        },
        Check("long-ids", "Ids may be as long as every server takes them: 120 characters.") { context in
            let id = context.newID() + "-" + String(repeating: "x", count: 100)
            let whole = String(id.prefix(120))
            try await context.insert(id: whole, [context.text("tea")]).expect(status: 201)
            _ = try await context.row(whole)
        },
        Check("system-columns", "A row bears its stamps and its version.") { context in
            let answer = try await context.insert(id: context.newID(), [context.text("tea")])
            let row = try answer.row()
            for name in context.dialect.systemColumns {
                guard name != context.dialect.deleted else {
                    try answer.expect(
                        row[name] == false, "\(name): false", came: row[name]?.json ?? "no member \(name)")
                    continue
                }
                try answer.expect(
                    row[name]?.textValue?.isEmpty == false, "a text in \(name)", came: row[name]?.json ?? "no \(name)")
            }
        },
        Check(
            "every-column-is-answered", "A column that was not given is in the answer, as null or its default.",
            on: [.v2, .v3]
        ) { context in
            let kinds = ColumnKind.allCases.filter { $0 != .text && context.target.columns[$0] != nil }
            guard !kinds.isEmpty else {
                throw Verdict.skipped("the only column that was named is the one of text")
            }
            let answer = try await context.insert(id: context.newID(), [context.text("tea")])
            let row = try answer.row()
            for kind in kinds {
                let name = try context.column(kind)
                try answer.expect(row[name] != nil, "a member \(name)", came: "none")
            }
        },
        Check("stamps-are-the-servers", "A client can't set the stamps: they are refused, or the server's own stay.") {
            context in
            let id = context.newID()
            let past = "1999-01-01T00:00:00.000Z"
            let answer = try await context.insert(
                id: id, [context.text("tea")], more: [JSONMember(context.dialect.updatedAt, .string(past))])
            if context.generation == .v1 { try answer.expect(status: 400, for: "a name that begins with __") }
            guard answer.isSuccess else {
                try answer.expect(status: 400)
                return
            }
            let row = try answer.row()
            try answer.expect(
                row.updatedAt.map { $0 > "2000" } ?? false, "the server's own \(context.dialect.updatedAt)",
                came: row.updatedAt)
        },
        Check("stamps-grow", "A row that is inserted later has later stamps.") { context in
            let first = try await context.made()
            let second = try await context.made()
            try context.expect(
                later(second.updatedAt, than: first.updatedAt),
                "a later \(context.dialect.updatedAt) of the second row",
                came: "\(first.updatedAt ?? "none"), then \(second.updatedAt ?? "none")")
        },
        .ofRow("taken-id-answers-409", "An insert with the id of another row answers 409.") { context, row in
            try await context.insert(id: row.id, [context.text("other")]).expect(status: 409)
        },
        .ofRow("taken-id-leaves-the-row", "An insert that is refused leaves the row as it was.") { context, row in
            let answer = try await context.insert(id: row.id, [context.text("other")])
            try answer.expect(!answer.isSuccess, "a refusal", came: "status \(answer.status)")
            try await context.expect(row.id, is: row, "the row \(row.json)")
        },
        .ofRow(
            "409-carries-the-row", "The 409 of a taken id has the row in its body, and its version as ETag.",
            on: [.v3]
        ) { context, row in
            let answer = try await context.insert(id: row.id, [context.text("other")]).expect(status: 409)
            try answer.expect(row: row, "the row \(row.json)")
            try answer.expectTag(of: row)
        },
        .ofRow("409-says-so", "The 409 of a taken id has the sentence that it exists already.", on: [.v1]) {
            context, row in
            let answer = try await context.insert(id: row.id, [context.text("other")])
            let words = answer.object?["error"]?.textValue ?? ""
            try answer.expect(
                words.contains("already exists"), "an error that says `already exists`",
                came: words.isEmpty ? "none" : words)
        },
        .ofTombstone("tombstone-id-answers-409", "The id of a deleted row is taken as long as the row can come back.") {
            context, row in
            try await context.insert(id: row.id, [context.text("other")]).expect(status: 409)
        },
        Check("malformed-json-answers-400", "A body that is no JSON answers 400.") { context in
            let body = #"{"id":"\#(context.newID())",,}"#
            try await context.send(context.request(.post, context.path(), body: body)).expect(status: 400)
        },
        Check("a-list-is-no-row", "A body that is a JSON array is refused: there are no inserts of many rows.") {
            context in
            let answer = try await context.send(context.request(.post, context.path(), body: "[]"))
            try answer.expect(answer.status >= 400, "a refusal", came: "status \(answer.status)")
        },
    ]

    /// Whether one stamp is after another; stamps of the same form are compared as text.
    static func later(_ stamp: String?, than other: String?) -> Bool {
        guard let stamp, let other else { return false }
        return comparable(stamp) > comparable(other)
    }

    /// A stamp with three digits, whose text can be compared.
    static func comparable(_ stamp: String) -> String {
        let parts = stamp.split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return stamp.filter { $0 != "Z" } + ".000" }
        let digits = parts[1].prefix { $0.isNumber }
        return parts[0] + "." + (digits + "000").prefix(3)
    }
}

import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let heads: [Check] = [
        .ofRow("content-type", "Rows and lists are called JSON, in UTF-8.") { visit, row in
            for answer in [try await visit.read(row.id), try await visit.list()] {
                let type = answer["Content-Type"]?.lowercased() ?? ""
                let isUTF8 = !type.contains("charset") || type.contains("utf-8")
                try answer.expect(
                    type.hasPrefix("application/json") && isUTF8, "application/json in UTF-8",
                    came: type.isEmpty ? "none" : type)
            }
        },
        .ofRow("content-length", "Rows and lists have a Content-Length: .NET clients ask for one.") { visit, row in
            for answer in [
                try await visit.read(row.id), try await visit.update(row.id, visit.text("second")),
                try await visit.list(),
            ] {
                try answer.expect(
                    answer["Content-Length"] == String(answer.body.count), "Content-Length: \(answer.body.count)",
                    came: answer["Content-Length"])
            }
        },
        .ofRow("no-copies", "Rows and lists say that no copy may be answered for them.", on: [.v1, .v2]) { visit, row in
            for answer in [try await visit.read(row.id), try await visit.list()] {
                let words = answer["Cache-Control"]?.lowercased() ?? ""
                try answer.expect(
                    words.contains("no-cache") || words.contains("no-store"), "Cache-Control: no-cache",
                    came: words.isEmpty ? "none" : words)
            }
        },
        .ofRow("reason-phrases", "A status comes with its phrase: some clients show it as the error.", on: [.v1, .v2]) {
            visit, row in
            _ = try await visit.updated(row, visit.text("theirs"))
            let answer = try await visit.update(row.id, visit.text("mine"), ifMatch: tag(row))
            try answer.expect(status: 412)
            try answer.expect(
                answer.reason.lowercased() == "precondition failed", "Precondition Failed", came: answer.reason)
        },
        Check("packing-keeps-the-etag", "An answer that comes packed has the row's version as its ETag too.") { visit in
            let row = try await visit.made(visit.text(String(repeating: "long ", count: 600)))
            let answer = try await visit.read(row.id, fields: [CurlField("Accept-Encoding", "gzip")])
            try answer.expect(status: 200)
            try answer.expect(
                answer.strongTag == row.version, "the ETag \"\(row.version ?? "")\"", came: answer["ETag"])
        },
        Check("no-etag-of-a-list", "A list has no strong ETag, which would be a row's version to some clients.") {
            visit in
            let answer = try await visit.listed().answer
            try answer.expect(answer.strongTag == nil, "no strong ETag", came: answer["ETag"])
        },
    ]

    static let errors: [Check] = [
        Check("a-missing-row", "The error of a missing row is JSON with a text, where it has a body.") { visit in
            let answer = try await visit.read(visit.newID()).expect(status: 404)
            guard visit.generation == .v1 || !answer.body.isEmpty else { return }
            try expectError(answer)
            try answer.expect(answer["ETag"] == nil, "no ETag", came: answer["ETag"])
        },
        Check("says-that-it-is-missing", "The error of a missing row says that it does not exist.", on: [.v1]) {
            visit in
            let answer = try await visit.read(visit.newID())
            let words = answer.object?["error"]?.textValue ?? ""
            try answer.expect(words.contains("does not exist"), "`does not exist` in error", came: words)
        },
        Check("a-bad-query", "The error of a filter that can't be read has a text.") { visit in
            let answer = try await visit.list(where: "{text} eq").expect(status: 400)
            guard visit.generation != .v3 else {
                try answer.expect(!answer.body.isEmpty, "a body", came: "none")
                return
            }
            try expectError(answer)
        },
        Check("a-bad-body", "The error of a body that is no JSON has a text.", on: [.v1, .v2]) { visit in
            let answer = try await visit.send(visit.request(.post, visit.path(), body: "{")).expect(status: 400)
            try expectError(answer)
        },
        Check("code-and-error", "An error has the status as `code`, and a text in `error`.", on: [.v1]) { visit in
            let answer = try await visit.read(visit.newID())
            try answer.expect(answer.object?["code"] == 404, "code: 404", came: answer.object?.json ?? "no object")
            try expectError(answer)
        },
    ]

    /// A text where client libraries look for one.
    private static func expectError(_ answer: CheckedResponse) throws(Verdict) {
        let names = answer.visit.generation == .v1 ? ["error"] : ["error", "description", "message", "detail", "title"]
        let words = names.compactMap { answer.object?[$0]?.textValue }.first
        try answer.expect(
            words?.isEmpty == false, "JSON with a text in \(names.joined(separator: " or "))",
            came: String(decoding: answer.body.prefix(200), as: UTF8.self))
    }

    static let versions: [Check] = [
        Check("in-the-query", "The API version may stand in the query, in any case.", on: [.v2, .v3]) { visit in
            let number = visit.generation == .v2 ? "2.0.0" : "3.0.0"
            for name in ["ZUMO-API-VERSION", "zumo-api-version"] {
                var request = visit.request(.get, visit.path(), [(name, number), ("$top", "1")])
                request.fields.removeAll { $0.name == "ZUMO-API-VERSION" }
                _ = try await visit.send(request).listing()
            }
        },
        Check("an-unknown-one-answers-400", "An API version that there is not answers 400.", on: [.v2, .v3]) { visit in
            let version = CurlField("ZUMO-API-VERSION", "22.0.0")
            let answer = try await visit.send(visit.request(.get, visit.path(), [("$top", "1")], fields: [version]))
            guard answer.status != 200 else { throw Verdict.skipped("the server does not look at the version") }
            try answer.expect(status: 400)
        },
        Check("of-a-newer-client", "The last digits of the API version are the client's own.", on: [.v2, .v3]) {
            visit in
            let version = CurlField("ZUMO-API-VERSION", visit.generation == .v2 ? "2.0.77" : "3.0.1")
            _ = try await visit.send(visit.request(.get, visit.path(), [("$top", "1")], fields: [version])).listing()
        },
    ]

    static let access: [Check] = [
        Check("without-a-token-401", "Without a token a table for users answers 401, and never 403.") { visit in
            try await guarded(visit, []).expect(status: 401)
        },
        Check("a-bad-token-401", "A token that nobody signed answers 401 on a table for users.") { visit in
            let forged = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ6YyIsInZlciI6IjMifQ.AAAA"
            try await guarded(visit, [visit.dialect.authorization(forged)]).expect(status: 401)
        },
        Check("with-a-token", "A user's token opens a table for users.") { visit in
            guard let token = visit.target.userToken else {
                throw Verdict.skipped("no token was given; --user-token gives one")
            }
            let answer = try await guarded(visit, [visit.dialect.authorization(token)])
            _ = try answer.listing()
        },
    ]

    /// Asks the table for users.
    private static func guarded(_ visit: CheckContext, _ fields: [CurlField]) async throws(Verdict) -> CheckedResponse {
        let table = visit.target.guardedTable
        let answer = try await visit.send(
            visit.request(.get, visit.path(table), [("$top", "1")], fields: fields, isUser: false))
        guard answer.status != 404 else {
            throw .skipped("the server has no table \(table); --guarded-table names one for users only")
        }
        return answer
    }

    static let origins: [Check] = [
        Check("preflight", "A browser's question is answered with the methods and fields that apps use.") { visit in
            let fields = [
                CurlField("Origin", origin), CurlField("Access-Control-Request-Method", "PATCH"),
                CurlField("Access-Control-Request-Headers", "content-type,if-match,x-zumo-auth,zumo-api-version"),
            ]
            // A browser sends nothing of the app's at this point.
            let request = CurlRequest(.options, visit.target.address + visit.path(), fields: fields)
            let answer = try await visit.send(request)
            try allows(answer)
            try answer.expect(status: 200, 204)
            let methods = answer["Access-Control-Allow-Methods"]?.uppercased() ?? ""
            for method in ["PATCH", "DELETE"] {
                try answer.expect(methods.contains(method), "\(method) among the methods", came: methods)
            }
            let names = answer["Access-Control-Allow-Headers"]?.lowercased() ?? ""
            for name in ["if-match", "x-zumo-auth"] where names != "*" {
                try answer.expect(names.contains(name), "\(name) among the fields", came: names)
            }
        },
        .ofRow("exposes-etag-and-link", "An app in a browser may read ETag and Link.", on: [.v2]) { visit, row in
            let answer = try await visit.read(row.id, fields: [CurlField("Origin", origin)])
            try allows(answer)
            let names = answer["Access-Control-Expose-Headers"]?.lowercased() ?? ""
            for name in ["etag", "link"] where names != "*" {
                try answer.expect(names.contains(name), "\(name) among what is exposed", came: names)
            }
        },
    ]

    /// Which every server of the family allows unless configured otherwise.
    private static let origin = "http://localhost"

    private static func allows(_ answer: CheckedResponse) throws(Verdict) {
        guard let allowed = answer["Access-Control-Allow-Origin"] else {
            throw .skipped("the server allows no pages of \(origin)")
        }
        try answer.expect(allowed == origin || allowed == "*", "the origin \(origin)", came: allowed)
    }
}

import CurlClient
import HTTPModel
import JSONText

extension Checks {
    static let heads: [Check] = [
        .ofRow("content-type", "Rows and lists are called JSON, in UTF-8.") { context, row in
            for answer in [try await context.read(row.id), try await context.list()] {
                let type = answer["Content-Type"]?.lowercased() ?? ""
                let isUTF8 = !type.contains("charset") || type.contains("utf-8")
                try answer.expect(
                    type.hasPrefix("application/json") && isUTF8, "application/json in UTF-8",
                    came: type.isEmpty ? "none" : type)
            }
        },
        .ofRow("content-length", "Rows and lists have a Content-Length: .NET clients ask for one.") { context, row in
            for answer in [
                try await context.read(row.id), try await context.update(row.id, context.text("second")),
                try await context.list(),
            ] {
                try answer.expect(
                    answer["Content-Length"] == String(answer.body.count), "Content-Length: \(answer.body.count)",
                    came: answer["Content-Length"])
            }
        },
        .ofRow("no-copies", "Rows and lists say that no copy may be answered for them.", on: [.v1, .v2]) {
            context, row in
            for answer in [try await context.read(row.id), try await context.list()] {
                let words = answer["Cache-Control"]?.lowercased() ?? ""
                try answer.expect(
                    words.contains("no-cache") || words.contains("no-store"), "Cache-Control: no-cache",
                    came: words.isEmpty ? "none" : words)
            }
        },
        .ofRow("reason-phrases", "A status comes with its phrase: some clients show it as the error.", on: [.v1, .v2]) {
            context, row in
            _ = try await context.updated(row, context.text("theirs"))
            let answer = try await context.update(row.id, context.text("mine"), ifMatch: tag(row))
            try answer.expect(status: 412)
            try answer.expect(
                answer.reason.lowercased() == "precondition failed", "Precondition Failed", came: answer.reason)
        },
        Check("packing-keeps-the-etag", "An answer that comes packed has the row's version as its ETag too.") {
            context in
            let row = try await context.made(context.text(String(repeating: "long ", count: 600)))
            let answer = try await context.read(row.id, fields: [CurlField("Accept-Encoding", "gzip")])
            try answer.expect(status: 200)
            try answer.expect(
                answer.strongTag == row.version, "the ETag \"\(row.version ?? "")\"", came: answer["ETag"])
        },
        Check("no-etag-of-a-list", "A list has no strong ETag, which would be a row's version to some clients.") {
            context in
            let answer = try await context.listed().answer
            try answer.expect(answer.strongTag == nil, "no strong ETag", came: answer["ETag"])
        },
    ]

    static let errors: [Check] = [
        Check("a-missing-row", "The error of a missing row is JSON with a text, where it has a body.") { context in
            let answer = try await context.read(context.newID()).expect(status: 404)
            guard context.generation == .v1 || !answer.body.isEmpty else { return }
            try expectError(answer)
            try answer.expect(answer["ETag"] == nil, "no ETag", came: answer["ETag"])
        },
        Check("says-that-it-is-missing", "The error of a missing row says that it does not exist.", on: [.v1]) {
            context in
            let answer = try await context.read(context.newID())
            let words = answer.object?["error"]?.textValue ?? ""
            try answer.expect(words.contains("does not exist"), "`does not exist` in error", came: words)
        },
        Check("a-bad-query", "The error of a filter that can't be read has a text.") { context in
            let answer = try await context.list(where: "{text} eq").expect(status: 400)
            guard context.generation != .v3 else {
                try answer.expect(!answer.body.isEmpty, "a body", came: "none")
                return
            }
            try expectError(answer)
        },
        Check("a-bad-body", "The error of a body that is no JSON has a text.", on: [.v1, .v2]) { context in
            let answer = try await context.send(context.request(.post, context.path(), body: "{")).expect(status: 400)
            try expectError(answer)
        },
        Check("code-and-error", "An error has the status as `code`, and a text in `error`.", on: [.v1]) { context in
            let answer = try await context.read(context.newID())
            try answer.expect(answer.object?["code"] == 404, "code: 404", came: answer.object?.json ?? "no object")
            try expectError(answer)
        },
    ]

    /// A text where client libraries look for one.
    private static func expectError(_ answer: CheckedResponse) throws(Verdict) {
        let names =
            answer.context.generation == .v1 ? ["error"] : ["error", "description", "message", "detail", "title"]
        let words = names.compactMap { answer.object?[$0]?.textValue }.first
        try answer.expect(
            words?.isEmpty == false, "JSON with a text in \(names.joined(separator: " or "))",
            came: String(decoding: answer.body.prefix(200), as: UTF8.self))
    }

    static let versions: [Check] = [
        Check("in-the-query", "The API version may stand in the query, in any case.", on: [.v2, .v3]) { context in
            let number = context.generation == .v2 ? "2.0.0" : "3.0.0"
            for name in ["ZUMO-API-VERSION", "zumo-api-version"] {
                var request = context.request(.get, context.path(), [(name, number), ("$top", "1")])
                request.fields.removeAll { $0.name == "ZUMO-API-VERSION" }
                _ = try await context.send(request).listing()
            }
        },
        Check("an-unknown-one-answers-400", "An API version that there is not answers 400.", on: [.v2, .v3]) {
            context in
            let version = CurlField("ZUMO-API-VERSION", "22.0.0")
            let answer = try await context.send(
                context.request(.get, context.path(), [("$top", "1")], fields: [version]))
            guard answer.status != 200 else { throw Verdict.skipped("the server does not look at the version") }
            try answer.expect(status: 400)
        },
        Check("of-a-newer-client", "The last digits of the API version are the client's own.", on: [.v2, .v3]) {
            context in
            let version = CurlField("ZUMO-API-VERSION", context.generation == .v2 ? "2.0.77" : "3.0.1")
            _ = try await context.send(context.request(.get, context.path(), [("$top", "1")], fields: [version]))
                .listing()
        },
    ]

    static let access: [Check] = [
        Check("without-a-token-401", "Without a token a table for users answers 401, and never 403.") { context in
            try await guarded(context, []).expect(status: 401)
        },
        Check("a-bad-token-401", "A token that nobody signed answers 401 on a table for users.") { context in
            let forged = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiJ6YyIsInZlciI6IjMifQ.AAAA"
            try await guarded(context, [context.dialect.authorization(forged)]).expect(status: 401)
        },
        Check("with-a-token", "A user's token opens a table for users.") { context in
            guard let token = context.target.userToken else {
                throw Verdict.skipped("no token was given; --user-token gives one")
            }
            let answer = try await guarded(context, [context.dialect.authorization(token)])
            _ = try answer.listing()
        },
    ]

    /// Asks the table for users.
    private static func guarded(_ context: CheckContext, _ fields: [CurlField]) async throws(Verdict) -> CheckedResponse
    {
        let table = context.target.guardedTable
        let answer = try await context.send(
            context.request(.get, context.path(table), [("$top", "1")], fields: fields, isUser: false))
        guard answer.status != 404 else {
            throw .skipped("the server has no table \(table); --guarded-table names one for users only")
        }
        return answer
    }

    static let origins: [Check] = [
        Check("preflight", "A browser's question is answered with the methods and fields that apps use.") { context in
            let fields = [
                CurlField("Origin", origin), CurlField("Access-Control-Request-Method", "PATCH"),
                CurlField("Access-Control-Request-Headers", "content-type,if-match,x-zumo-auth,zumo-api-version"),
            ]
            // A browser sends nothing of the app's at this point.
            let request = CurlRequest(.options, context.target.address + context.path(), fields: fields)
            let answer = try await context.send(request)
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
        .ofRow("exposes-etag-and-link", "An app in a browser may read ETag and Link.", on: [.v2]) { context, row in
            let answer = try await context.read(row.id, fields: [CurlField("Origin", origin)])
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

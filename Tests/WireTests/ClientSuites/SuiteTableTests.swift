import JSONText
import Testing
import WireTesting

@Suite struct `Tables of the client suites` {
    private static let open = [
        "movies", "intIdMovies", "roundTripTable", "intIdRoundTripTable", "StringIdRoundTripTableSoftDelete",
        "stringIdRoundTripSoftDeleteTable", "droidStringIdTable", "OfflineReady", "offlineReadyNoVersion", "todoitem",
        "ParamsTestTable", "application", "public", "blog_posts", "blog_comments", "dates", "w8jsServerQueryMovies",
        "stringIdRoundTripTable", "stringIdMovies", "w8RoundTripTable", "w8jsRoundTripTable", "iosRoundTripTable",
        "droidRoundTripTable", "iosPushTest", "w8PushTest", "wp8PushTest", "droidPushTest",
    ]
    private static let guarded = [
        "OfflineReadyNoVersionAuthenticated", "authenticated", "authorized", "admin", "user",
    ]

    @Test(arguments: TestDatabase.all)
    func `each is there in any case, and those that must not be are not`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for table in Self.open {
                for name in [table, table.uppercased(), table.lowercased()] {
                    let response = try client.exchange("GET", name + "?$top=1")
                    #expect(response.code == 200, "\(name)")
                }
            }
            for table in ["offlineReady2", "fakeTable", "TableWhichDoesNotExist"] {
                for (method, path, body) in [
                    ("GET", table, ""), ("POST", table, "{\"text\":\"x\"}"), ("GET", table + "/a", ""),
                    ("PATCH", table + "/a", "{}"), ("DELETE", table + "/a", ""),
                ] {
                    let response = try client.exchange(method, path, body)
                    #expect(response.code == 404, "\(method) \(path)")
                }
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `those for users answer 401 without one, and to a user as ever`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let user = try SuiteClient.user()
            for table in Self.guarded {
                for (method, path, body) in [
                    ("GET", table, ""), ("POST", table, #"{"id":"a"}"#), ("GET", table + "/a", ""),
                    ("PATCH", table + "/a", #"{"name":"x"}"#), ("DELETE", table + "/a", ""),
                ] { #expect(try client.exchange(method, path, body).code == 401, "\(method) \(path)") }
                #expect(try client.exchange("POST", table, #"{"id":"a","name":"x"}"#, [user]).code == 201)
                #expect(try client.exchange("PATCH", table + "/a", #"{"name":"y"}"#, [user]).code == 200)
                #expect(try client.exchange("GET", table + "/a", "", [user]).code == 200)
                #expect(try client.exchange("GET", table, "", [user]).rows.count == 1)
                #expect(try client.exchange("DELETE", table + "/a", "", [user]).code == 200)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `rows of the table authenticated are their users'`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let (one, other) = (try SuiteClient.user("Facebook:1"), try SuiteClient.user("Google:2"))
            let row = try client.insert(#"{"name":"x","userId":"Google:2"}"#, into: "authenticated", [one])
            #expect(row["userId"] == .string("Facebook:1"))
            let path = "authenticated/" + (row["id"]?.text ?? "").encoded
            for (method, body) in [("GET", ""), ("PATCH", #"{"name":"y"}"#), ("DELETE", "")] {
                #expect(try client.exchange(method, path, body, [other]).code == 404, "\(method)")
            }
            #expect(try client.exchange("GET", "authenticated", "", [other]).text == "[]")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `rows of the table authenticated say who reads them, and only where they are read`(
        on database: TestDatabase
    ) async throws {
        try await SuiteClient.with(database) { client in
            let user = try SuiteClient.user("Google:123")
            let row = try client.insert(#"{"id":"k","name":"x"}"#, into: "authenticated", [user])
            #expect(row["identities"] == nil)
            let identities = JSONValue.string(#"{"google":{"userId":"Google:123"}}"#)
            #expect(
                try client.exchange("GET", "authenticated/k", "", [user]).row["identities"] == identities)
            let list = "authenticated?$filter=\("id eq 'k'".encoded)"
            #expect(try client.exchange("GET", list, "", [user]).rows.map { $0["identities"] } == [identities])
            #expect(
                try client.exchange("GET", list + "&$select=name", "", [user]).rows == [
                    ["name": .string("x"), "identities": identities]
                ])
            #expect(try client.services("GET", "authenticated/k", "", [user]).row["Identities"] == identities)
            #expect(try client.services("GET", list, "", [user]).rows.map { $0["Identities"] } == [identities])
            let updated = try client.exchange("PATCH", "authenticated/k", #"{"name":"y"}"#, [user])
            #expect(try updated.code == 200 && updated.row["identities"] == nil)
            #expect(try client.exchange("GET", "todoitem", "", [user]).text == "[]")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `posts need a title and comments a post, named in any case`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let refused = try client.exchange("POST", "blog_posts", #"{"commentCount":0}"#)
            #expect(refused.code == 400)
            #expect(try refused.row["error"] == .string("All blog posts must have a title."))
            let post = try client.insert(
                #"{"title":"Title","commentCount":0,"showComments":true,"data":"x"}"#, into: "blog_posts")
            let id = post["id"]?.text ?? ""
            #expect(try client.exchange("POST", "blog_comments", #"{"commentText":"x"}"#).code == 400)
            let comment = try client.insert(
                "{\"postid\":\(id.json),\"commentText\":\"first\",\"name\":\"n\",\"test\":1}", into: "blog_comments")
            #expect(comment["postId"] == .string(id))
            #expect(try client.rows("blog_comments?$filter=postid%20eq%20\(id.literal)").count == 1)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `the five operations of ParamsTestTable answer the app's parameters`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let values = [
                "simple", "", "two words", #"`!@#$%^&*()-=[]\;',./~_+{}|:"<>?"#, "الكتاب", "汉语", "日本", "עברית",
            ]
            for (index, value) in values.enumerated() {
                let name = index == 0 ? "name+with special&chars" : "item"
                let query = "?\(name.encoded)=\(value.encoded)"
                let parameters = "{\(name.json):\(value.json)}".json
                for (method, path, body, code, id) in [
                    ("POST", "", "{}", 201, 1), ("GET", "/12", "", 200, 12), ("PATCH", "/12", #"{"id":12}"#, 200, 12),
                    ("DELETE", "/12", "", 200, 12),
                ] {
                    let response = try client.exchange(method, "ParamsTestTable\(path)\(query)", body)
                    #expect(response.code == code)
                    #expect(response.text == "{\"id\":\(id),\"parameters\":\(parameters)}", "\(method) \(value)")
                }
                let list = try client.exchange("GET", "paramstesttable\(query)&$top=3&$filter=id%20eq%201")
                #expect(list.text == "[{\"id\":1,\"parameters\":\(parameters)}]")
            }
        }
    }
}

import JSONText
import Testing
import WireTesting

@Suite struct `The other APIs of the client suites` {
    private static let movies = [
        #"{"id":"a","title":"Zodiac","year":2007,"duration":157,"releaseDate":"2007-03-02T00:00:00.000Z"}"#,
        #"{"id":"b","title":"Atonement","year":2007,"duration":123,"releaseDate":"2007-12-07T00:00:00.000Z"}"#,
        #"{"id":"c","title":"Schindler's List","year":1993,"duration":195,"releaseDate":"1993-12-15T00:00:00.000Z"}"#,
        #"{"id":"d","title":"Who's Afraid of Virginia Woolf?","year":1966,"duration":123}"#,
    ]

    private static let searches: [(method: String, target: String, body: String, titles: [String])] = [
        ("GET", "/title/Zodiac", "", ["Zodiac"]),
        ("GET", "/title/Schindler's%20List", "", ["Schindler's List"]),
        ("GET", "/title/Who's%20Afraid%20of%20Virginia%20Woolf%3F", "", ["Who's Afraid of Virginia Woolf?"]),
        ("GET", "/title/'%20or%201%20eq%201%20or%20'", "", []),
        ("GET", "/date/2007/3/2", "", ["Zodiac"]),
        ("GET", "/date/2007/03/03", "", []),
        ("POST", "/moviesOnSameYear", #"{"year":2007}"#, ["Atonement", "Zodiac"]),
        ("POST", "/MOVIESONSAMEYEAR?orderBy=id", #"{"Year":2007,"title":"x"}"#, ["Zodiac", "Atonement"]),
        ("POST", "/moviesWithSameDuration", #"{"duration":123}"#, ["Atonement", "Who's Afraid of Virginia Woolf?"]),
        (
            "POST", "/moviesWithSameDuration?orderBy=title%20desc", #"{"Duration":123}"#,
            ["Who's Afraid of Virginia Woolf?", "Atonement"]
        ),
        ("POST", "/moviesOnSameYear", #"{"year":1800}"#, []),
    ]

    private static let refused: [(method: String, target: String, body: String, code: Int)] = [
        ("GET", "", "", 404), ("GET", "/title", "", 404), ("GET", "/date/2007/3", "", 404), ("GET", "/none/1", "", 404),
        ("GET", "/date/2007/13/1", "", 400), ("GET", "/date/x/1/1", "", 400), ("POST", "/none", "{}", 404),
        ("POST", "/moviesOnSameYear", "[]", 400), ("POST", "/moviesOnSameYear", "1", 400),
        ("POST", "/moviesOnSameYear", "", 400), ("POST", "/moviesOnSameYear", #"{"year":"x"}"#, 400),
        ("POST", "/moviesOnSameYear?orderBy=no%20such%20column", #"{"year":1}"#, 400),
        ("POST", "/moviesOnSameYear?orderBy=nothing", #"{"year":1}"#, 400), ("PUT", "/title/x", "", 405),
    ]

    @Test(arguments: TestDatabase.all)
    func `movieFinder finds movies`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, fixture: "suites", lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            for movie in Self.movies { #expect(try client.exchange("POST", "/tables/movies", movie).code == 201) }
            for search in Self.searches {
                let response = try client.exchange(search.method, "/api/movieFinder" + search.target, search.body)
                #expect(response.code == 200)
                let titles = try response.json["movies"]?.elements?.map { $0["title"]?.textValue ?? "" }
                #expect(titles == search.titles, "\(search.target)")
            }
            for request in Self.refused {
                let response = try client.exchange(request.method, "/api/movieFinder" + request.target, request.body)
                #expect(response.code == request.code, "\(request.target) \(request.body)")
            }
        }
    }

    @Test func `movieFinder answers rows as tables do`() async throws {
        try await TestServer.with(on: .sqlite, fixture: "suites", lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            let stored = try client.exchange("POST", "/tables/movies", Self.movies[0]).text
            let found = try client.exchange("GET", "/api/moviefinder/title/zodiac").text
            #expect(found == "{\"movies\":[\(stored)]}")
        }
    }

    @Test func `runtimeInfo tells what the server can do`() async throws {
        try await TestServer.with(on: .sqlite) { server in
            let info = try WireClient(port: server.port).exchange("GET", "/api/runtimeInfo").json
            #expect(info["runtime"]?["type"] == "node.js")
            #expect(info["runtime"]?["version"]?.textValue?.hasPrefix("v") == true)
            #expect(info["features"]?["stringIdTables"] == true)
            #expect(info["features"]?["nhPushEnabled"] == false)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `jwtTokenGenerator gives a token that opens guarded APIs`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, fixture: "suites", lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            let login = try client.exchange("GET", "/api/jwtTokenGenerator").json
            #expect(login["userId"] == "Facebook:someuserid@hotmail.com")
            #expect(login["token"]?["payload"]?["uid"] == login["userId"])
            #expect(login["token"]?["rawData"] == login["authenticationToken"])
            let token = try #require(login["authenticationToken"]?.textValue)
            let echo = try client.exchange("GET", "/api/userPermission", "", ["X-ZUMO-AUTH: \(token)"]).json
            #expect(echo["user"]?["userid"] == "Facebook:someuserid@hotmail.com")
        }
    }

    private static let pushes: [(body: String, code: Int)] = [
        (#"{"method":"send","type":"gcm","tag":"World","payload":{"a":1},"token":"dummy"}"#, 200),
        (#"{"method":"send","type":"apns","payload":"x","token":"t","delay":1}"#, 200),
        (#"{"method":"send","type":"template","payload":"x","token":"t"}"#, 200),
        (#"{"method":"send","type":"pigeon","payload":"x","token":"t"}"#, 400),
        (#"{"method":"send","type":"wns","token":"t"}"#, 400), (#"{"method":"send","payload":"x"}"#, 400),
        (#"{"method":"send","payload":"x","token":""}"#, 400), (#"{"method":"getFeedback"}"#, 400), ("{}", 400),
        ("[]", 400), ("", 400),
    ]

    @Test(arguments: pushes)
    func `push takes a message that has all it needs`(body: String, code: Int) async throws {
        try await TestServer.with(on: .sqlite, fixture: "suites", lines: [APICaller.keys]) { server in
            let response = try WireClient(port: server.port).exchange("POST", "/api/push", body)
            #expect(response.code == code)
            if code == 200 { #expect(response.text == #"{"id":1,"status":"Push sent"}"#) }
        }
    }

    @Test func `an installation is found as it was registered, until it is removed`() async throws {
        try await TestServer.with(on: .sqlite, fixture: "suites", lines: [APICaller.keys]) { server in
            let client = try WireClient(port: server.port)
            let own = ["X-ZUMO-INSTALLATION-ID: ABC-1"]
            func verify(_ query: String = "", _ fields: [String] = own) throws -> String {
                try client.exchange("GET", "/api/verifyRegisterInstallationResult\(query)", "", fields).text
            }
            #expect(try verify() == "false")
            let body = #"{"pushChannel":"c1","platform":"wns","templates":{"t":{"body":"b","tags":["x"]}}}"#
            #expect(try client.exchange("PUT", "/push/installations/abc-1", body).code == 204)
            #expect(try verify() == "true")
            #expect(try verify("?channelUri=c1") == "true")
            #expect(try verify("?channelUri=c2") == "false")
            #expect(
                try verify("?channelUri=c1&templates=%7B%22t%22:%7B%22tags%22:%5B%22x%22%5D,%22body%22:%22b%22%7D%7D")
                    == "true")
            #expect(try verify("?templates=%7B%22t%22:%7B%22tags%22:%5B%22y%22%5D,%22body%22:%22b%22%7D%7D") == "false")
            #expect(try verify("?secondaryTiles=%7B%7D") == "false")
            #expect(try verify("", ["X-ZUMO-INSTALLATION-ID: other"]) == "false")
            let gone = "/api/verifyUnregisterInstallationResult"
            #expect(try client.exchange("GET", gone, "", own).text == "false")
            #expect(try client.exchange("GET", gone).code == 400)
            #expect(try client.exchange("DELETE", "/api/DeleteRegistrationsForChannel?channelUri=c1").code == 200)
            #expect(try client.exchange("GET", gone, "", own).text == "true")
        }
    }
}

import GreetingAPI
import JSONText
import MetricSeries
import OwnedItems
import ServerWatch
import Testing
import WireTesting
import ZumodServer

@testable import ServerLogging

/// The programs of `Examples`, on the tables that they come with.
@Suite struct `The examples` {
    private static let tables = "../../../Examples/config"

    @Test(arguments: TestDatabase.all)
    func `an API greets, and another completes what is open`(on database: TestDatabase) async throws {
        let extensions = greetingExtensions()
        try await TestServer.with(
            on: database, fixture: Self.tables, lines: [APICaller.keys], extensions: extensions
        ) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("GET", "/api/greeting").text == #"{"message":"Hello, world!"}"#)
            #expect(try client.exchange("GET", "/api/Greeting?name=Ada").text == #"{"message":"Hello, Ada!"}"#)
            for complete in [true, false, false] {
                let body = "{\"text\":\"x\",\"complete\":\(complete)}"
                #expect(try client.exchange("POST", "/tables/TodoItem", body).code == 201)
            }
            #expect(try client.exchange("POST", "/api/completeAll").code == 401)
            let token = ["X-ZUMO-AUTH: \(try APICaller.token("sid:1"))"]
            #expect(try client.exchange("POST", "/api/completeAll", "", token).text == #"{"completed":2}"#)
            #expect(try client.exchange("POST", "/api/completeAll", "", token).text == #"{"completed":0}"#)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `hooks stamp the owner, check the text and keep others out`(on database: TestDatabase) async throws {
        let extensions = ownedItemExtensions()
        try await TestServer.with(
            on: database, fixture: Self.tables, lines: [APICaller.keys], extensions: extensions
        ) { server in
            let client = try WireClient(port: server.port)
            let ada = ["X-ZUMO-AUTH: \(try APICaller.token("sid:ada"))"]
            let bob = ["X-ZUMO-AUTH: \(try APICaller.token("sid:bob"))"]
            let items = "/tables/TodoItem"
            #expect(try client.exchange("POST", items, #"{"text":"x"}"#).code == 401)
            #expect(try client.exchange("POST", items, "{}", ada).code == 400)
            let item = try client.exchange("POST", items, #"{"id":"a","text":"x","owner":"sid:bob"}"#, ada)
            #expect(try item.row["owner"] == "sid:ada")
            #expect(try client.exchange("PATCH", "\(items)/a", #"{"text":"y"}"#, bob).code == 403)
            #expect(try client.exchange("DELETE", "\(items)/a", "", bob).code == 403)
            let changed = try client.exchange("PATCH", "\(items)/a", #"{"text":"y","owner":"sid:bob"}"#, ada)
            #expect(try changed.row["owner"] == "sid:ada" && changed.row["text"] == "y")
            #expect(try client.exchange("DELETE", "\(items)/a", "", ada).code == 200)
            #expect(try client.exchange("GET", "/tables/Activity").rows.map { $0["item"]?.text } == ["x"])
            #expect(try client.exchange("POST", "/tables/Activity", "{}").code == 405)
        }
    }

    @Test func `a program is told of what failed, and of nothing else`() {
        let members = ["job": "nightly", "detail": "no\nroom"]
        #expect(
            alarm(for: LogEvent(.error, "a job failed", members))
                == #"a job failed (detail: "no\nroom", job: "nightly")"#)
        #expect(alarm(for: LogEvent(.warning, "a job failed", members)) == nil)
    }

    @Test func `a program has the counts in a form of its own`() {
        let registry = MetricRegistry()
        registry.counter("a_total", [("route", "api"), ("method", "GET")]).increment(by: 3)
        registry.gauge("b").set(0.5)
        registry.durations("c_seconds").record(nanoseconds: 2_000_000_000)
        #expect(
            report(registry.readings()) == [
                "a_total.GET.api:3|g", "b:0.5|g", "c_seconds.count:1|g", "c_seconds.sum:2.0|g",
            ])
    }
}

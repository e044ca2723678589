import Exchanges
import HTTPModel
import JSONText
import Testing
import WireTesting

@testable import TestMode

/// What an app did with a server, played again against a fresh one.
@Suite struct `What was recorded` {
    /// A conversation in one generation.
    struct Conversation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let body: @Sendable (Recorder) throws -> Void

        static let all = [services, apps, datasync]

        private static let apps = Conversation(testDescription: "v2") { app in
            let version = ["ZUMO-API-VERSION: 2.0.0", "Content-Type: application/json"]
            let added = try app.send("POST", "/tables/todo", version, #"{"text":"tea"}"#)
            let row = try JSONReader.parse(added.body)
            let (id, stamp) = (try #require(row["id"]?.textValue), try #require(row["updatedAt"]?.textValue))
            let tag = try #require(added["ETag"])
            try app.send("PATCH", "/tables/todo/\(id)", version + ["If-Match: \(tag)"], #"{"text":"milk"}"#)
            try app.send("PATCH", "/tables/todo/\(id)", version + ["If-Match: \(tag)"], #"{"text":"coffee"}"#)
            let encoded = stamp.replacing(":", with: "%3A")
            let ticks = encoded.dropLast() + "0000%2B00%3A00"
            for text in [encoded, ticks, stamp] {
                let filter = "(updatedAt%20ge%20datetimeoffset'\(text)')"
                try app.send("GET", "/tables/todo?$filter=\(filter)&$orderby=updatedAt&__includeDeleted=true", version)
            }
            try app.send("GET", "/tables/todo/none", version)
            try app.send("HEAD", "/tables/todo/\(id)", version)
            // As long as what a connection would rather send as gzip.
            try app.send(
                "POST", "/tables/todo", version, #"{"id":"long","text":"\#(String(repeating: "a", count: 5_000))"}"#)
            try app.send("GET", "/tables/todo/long", version)
            try app.send("POST", "/tables/todo", version, #"{"id":"odd","text":"\n{host} >>>"}"#)
            try app.send("POST", "/tables/numbered", version, #"{"title":"first"}"#)
            try app.send("DELETE", "/tables/todo/\(id)", version)
            for _ in 0..<3 { try app.send("POST", "/tables/paged", version, #"{"title":"page"}"#) }
            let page = try app.send("GET", "/tables/paged?$select=title", version)
            let link = try #require(page["Link"]).prefix { $0 != ";" }
            let next = try #require(link.split(separator: "/", maxSplits: 2).last.map { "/" + $0 })
            try app.send("GET", next, version)
        }

        private static let services = Conversation(testDescription: "v1") { app in
            let key = ["X-ZUMO-APPLICATION: key"]
            let added = try app.send("POST", "/tables/todo?__systemProperties=*", key, #"{"text":"tea"}"#)
            let row = try JSONReader.parse(added.body)
            let id = try #require(row["id"]?.textValue)
            let version = try #require(row["__version"]?.textValue)
            for text in ["milk", "coffee"] {
                try app.send(
                    "PATCH", "/tables/todo/\(id)?__systemProperties=__version", key + ["If-Match: \"\(version)\""],
                    #"{"id":"\#(id)","text":"\#(text)"}"#)
            }
            try app.send("GET", "/tables/todo?__systemProperties=*&$inlinecount=allpages", key)
            try app.send("GET", "/tables/todo/nothing", key)
        }

        private static let datasync = Conversation(testDescription: "v3") { app in
            let version = ["ZUMO-API-VERSION: 3.0.0", "Content-Type: application/json"]
            let added = try app.send("POST", "/tables/todo", version, #"{"text":"tea"}"#)
            let row = try JSONReader.parse(added.body)
            let id = try #require(row["id"]?.textValue)
            let (tag, time) = (try #require(added["ETag"]), try #require(added["Last-Modified"]))
            try app.send("GET", "/tables/todo/\(id)", version + ["If-None-Match: \(tag)"])
            try app.send("GET", "/tables/todo/\(id)", version + ["If-Modified-Since: \(time)"])
            try app.send("PUT", "/tables/todo/\(id)", version + ["If-Match: \(tag)"], #"{"id":"\#(id)","text":"milk"}"#)
            try app.send("DELETE", "/tables/todo/\(id)", version + ["If-Match: \(tag)"])
            // Rows of one rank would come in the order of their ids, which are others each time.
            for rank in 0..<3 { try app.send("POST", "/tables/paged", version, #"{"rank":\#(rank)}"#) }
            let first = try app.send("GET", "/tables/paged?$orderby=rank&$count=true", version)
            let page = try JSONReader.parse(first.body)
            try app.send("GET", "/tables/paged?\(try #require(page["nextLink"]?.textValue))", version)
        }
    }

    /// What a server answered to a conversation.
    private static func record(_ conversation: Conversation, on database: TestDatabase) async throws -> ExchangeRecord {
        try await TestServer.with(on: database) { server in
            let app = try Recorder(server)
            try conversation.body(app)
            return app.record
        }
    }

    @Test(arguments: Conversation.all, TestDatabase.all)
    func `plays as a golden case against another server`(
        _ conversation: Conversation, on database: TestDatabase
    ) async throws {
        let record = try await Self.record(conversation, on: database)
        let text = String(decoding: try Recorder.ask(record, "case"), as: UTF8.self)
        let golden = try GoldenCase(name: "recorded", text: text)
        #expect(golden.exchanges.count >= record.all.count - 1)
        // A version, a stamp or an id of the first server would not be one of the second's.
        for exchange in record.all {
            for name in ["version", "updatedAt", "__version"] {
                let body = try? JSONReader.parse(exchange.answer?.body.bytes ?? [])
                if let value = body?[name]?.textValue { #expect(!text.contains(value), "\(text)") }
            }
        }
        try await TestServer.with(on: database) { server in
            // So that nothing is the same by chance.
            try Recorder(server).send("POST", "/tables/hard", [], #"{"id":"first"}"#)
            let difference = try GoldenRun.play(golden, port: server.port)
            #expect(difference == nil, "\(difference ?? "")")
        }
    }

    @Test(arguments: Conversation.all, TestDatabase.all)
    func `is answered the same by another server, replayed from its archive`(
        _ conversation: Conversation, on database: TestDatabase
    ) async throws {
        let record = try await Self.record(conversation, on: database)
        let archive = try Recorder.ask(record, "har")
        let count = record.all.count
        try await TestServer.with(on: database) { server in
            try Recorder(server).send("POST", "/tables/hard", [], #"{"id":"first"}"#)
            let client = try WireClient(port: server.port)
            let replay = try HARReplay(archive, host: "127.0.0.1:\(server.port)")
            let report = await replay.run { request in
                do {
                    return try Recorder.send(request, by: client).1
                } catch {
                    Issue.record(error)
                    return HTTPResponse(.internalServerError)
                }
            }
            #expect(report.replayed == count && report.same == count, "\(report.different)")
        }
    }
}

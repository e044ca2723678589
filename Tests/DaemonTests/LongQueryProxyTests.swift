import Foundation
import Testing
import WireTesting

@Suite("Behind nginx as it is installed", .ownThread)
struct LongQueryProxyTests {
    /// Only where to listen and where to send requests is said: the head of an answer may have 4 KiB.
    private static func site(_ port: UInt16, before server: UInt16) -> String {
        "server { listen 127.0.0.1:\(port); location / { proxy_pass http://127.0.0.1:\(server); } }"
    }

    private static func filters() -> [String] {
        func list(_ text: (Int) -> String) -> String {
            var filter = "id eq 'row-0'"
            var number = 1
            // What nginx takes as an address, 8 KiB, with blanks as three bytes.
            while filter.replacing(" ", with: "%20").utf8.count < 7_900 {
                filter += " or id eq '\(text(number))'"
                number += 1
            }
            return filter.replacing(" ", with: "%20")
        }
        return [
            list { $0 < 7 ? "row-\($0)" : "item-\($0)" },
            list { $0 < 7 ? "row-\($0)" : UUID().uuidString.lowercased() },
        ]
    }

    @Test(
        .enabled(if: Balancer.program != nil, "nginx is not installed"), arguments: ["2.0.0", "3.0.0"])
    func `every page of a long filter comes through`(of version: String) async throws {
        let daemon = try Daemon(Workplace(["zumod.yaml": "pageSize: 2"]))
        let (balancer, client) = try await Balancer.started {
            try Balancer(site: Self.site($0, before: daemon.port), on: $0)
        }
        defer { withExtendedLifetime(balancer) {} }
        let fields = ["ZUMO-API-VERSION: \(version)", "Origin: http://localhost:3000"]
        for number in 0..<7 {
            let made = try client.exchange("POST", "/tables/TodoItem", #"{"id":"row-\#(number)"}"#, fields)
            try #require(made.code == 201)
        }
        for filter in Self.filters() {
            var next: String? = "/tables/TodoItem?$filter=\(filter)"
            var rows = 0
            while let path = next {
                let answer = try client.exchange("GET", path, "", fields)
                try #require(answer.code == 200, "\(answer.text)")
                rows += answer.text.components(separatedBy: "\"row-").count - 1
                next = try Self.link(in: answer)
            }
            #expect(rows == 7)
        }
        #expect(daemon.stop() == 0)
    }

    private static func link(in answer: WireResponse) throws -> String? {
        if let link = answer["Link"] {
            return try String(link[#require(link.firstRange(of: "/tables/")).lowerBound...].dropLast(10))
        }
        guard let start = answer.text.firstRange(of: #""nextLink":""#) else { return nil }
        return "/tables/TodoItem?" + answer.text[start.upperBound...].prefix { $0 != "\"" }
    }
}

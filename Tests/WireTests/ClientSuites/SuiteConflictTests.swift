import JSONText
import Testing
import WireTesting

@Suite struct `Conflicts and deletes of the client suites` {
    @Test(arguments: ["incorrect", "3q3A3g==", "AAAAAAAAAAA="], TestDatabase.all)
    func `a wrong version answers the stored row, by which a retry succeeds`(
        _ tag: String, on database: TestDatabase
    ) async throws {
        try await SuiteClient.with(database) { client in
            for table in ["roundTripTable", "StringIdRoundTripTableSoftDelete"] {
                let row = try client.insert(#"{"id":"k","name":"a"}"#, into: table)
                let wrong = "If-Match: \"\(tag)\""
                for (method, body) in [("PATCH", #"{"name":"b"}"#), ("DELETE", "")] {
                    let refused = try client.exchange(method, "\(table)/k", body, [wrong])
                    #expect(refused.status == "412 Precondition Failed")
                    #expect(try refused.row == row)
                    #expect(refused["ETag"] == "\"\(row["version"]?.text ?? "")\"")
                }
                let right = "If-Match: \"\(row["version"]?.text ?? "")\""
                let written = try client.exchange("PATCH", "\(table)/k", #"{"name":"b"}"#, [right])
                #expect(try written.code == 200 && written.row["name"] == .string("b"))
                #expect(try client.exchange("DELETE", "\(table)/k", "", [right]).code == 412)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `the parameter conflictPolicy says who wins`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let stale = "If-Match: \"incorrect\""
            let row = try client.insert(#"{"id":"k","name":"a"}"#, into: "roundTripTable")
            for policy in ["clientWins", "client", "ClientWins"] {
                let written = try client.exchange(
                    "PATCH", "roundTripTable/k?conflictPolicy=\(policy)", "{\"name\":\"\(policy)\"}", [stale])
                #expect(try written.code == 200 && written.row["name"] == .string(policy))
            }
            let current = try client.exchange("GET", "roundTripTable/k").row
            #expect(current != row)
            for policy in ["serverWins", "server", "SERVERWINS"] {
                let answered = try client.exchange(
                    "PATCH", "roundTripTable/k?conflictPolicy=\(policy)", #"{"name":"z"}"#, [stale])
                #expect(try answered.code == 200 && answered.row == current)
            }
            for query in ["", "?conflictPolicy=", "?conflictPolicy=other"] {
                let refused = try client.exchange("PATCH", "roundTripTable/k\(query)", #"{"name":"z"}"#, [stale])
                #expect(try refused.code == 412 && refused.row == current)
            }
        }
    }

    @Test(
        arguments: ["StringIdRoundTripTableSoftDelete", "stringIdRoundTripSoftDeleteTable", "todoitem"],
        TestDatabase.all)
    func `a deleted row hides, shows itself on demand and comes back`(
        _ table: String, on database: TestDatabase
    ) async throws {
        try await SuiteClient.with(database) { client in
            let row = try client.insert(#"{"id":"k"}"#, into: table)
            #expect(row["deleted"] == .boolean(false))
            #expect(try client.exchange("DELETE", "\(table)/k").code == 200)
            #expect(try client.exchange("GET", "\(table)/k").code == 404)
            #expect(try client.rows(table).isEmpty)
            let filter = "$filter=\("id eq 'k'".encoded)"
            #expect(try client.rows("\(table)?\(filter)").isEmpty)
            let shown = try client.rows("\(table)?\(filter)&__includeDeleted=true")
            #expect(shown.count == 1 && shown[0]["deleted"] == .boolean(true))
            #expect(try client.exchange("POST", "\(table)/k").code == 201)
            #expect(try client.rows(table).map { $0["deleted"] } == [.boolean(false)])
            let stale = "If-Match: \"\(row["version"]?.text ?? "")\""
            #expect(try client.exchange("DELETE", "\(table)/k", "", [stale]).code == 412)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a pull takes 60 rows in pages of any size`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for index in 0..<60 {
                _ = try client.insert("{\"id\":\"p\(index)\",\"text\":\"pull \(index)\"}", into: "todoitem")
            }
            for size in [1, 4, 30, 60, 100] {
                var seen: [String] = []
                while true {
                    let page = try client.ids(
                        "todoitem?$filter=\("indexof(text,'pull') eq 0".encoded)&$skip=\(seen.count)&$top=\(size)")
                    if page.isEmpty { break }
                    seen += page
                }
                #expect(seen.count == 60 && Set(seen).count == 60, "pages of \(size)")
            }
        }
    }
}

import JSONText
import SyncTesting
import Testing
import WireTesting

/// Two devices and one row.
extension SeedDemand {
    static let conflicts: [SeedDemand] = [
        SeedDemand("of two devices that edit one row the second is told, and gets the row") { server, kind in
            let first = try server.client(kind, with: 1)
            let tag = try #require(first.rows["row-0"]?.version)
            first.update("row-0", ["text": .string("first")])
            try first.push()
            let refused = try server.exchange(
                kind, "PATCH", "/tables/TodoItem/row-0", #"{"id":"row-0","text":"second"}"#, ["If-Match: \"\(tag)\""])
            #expect(refused.status == "412 Precondition Failed")
            let row = try refused.row
            let prefix = kind == .ios2 ? "__" : ""
            #expect(row["text"] == .string("first") && row["complete"] == .boolean(true))
            #expect(row["\(prefix)version"]?.text == first.rows["row-0"]?.version)
            #expect(row["\(prefix)deleted"] == .boolean(false))
            #expect(refused["ETag"] == "\"\(first.rows["row-0"]?.version ?? "")\"")
        },
        SeedDemand("the app takes the server's row where its change was refused") { server, kind in
            let (first, second) = (try server.client(kind, with: 1), server.client(kind))
            try second.pull()
            first.update("row-0", ["text": .string("first")])
            second.update("row-0", ["text": .string("second")])
            for client in [first, second] { try client.push() }
            #expect(second.connection.exchanges.last?.code == 412)
            #expect(second.rows == first.rows)
            #expect(try second.rows == server.rows())
        },
        SeedDemand("the app insists with the server's version, and wins") { server, kind in
            let (first, second) = (try server.client(kind, with: 1), server.client(kind, choice: .clientWins))
            try second.pull()
            first.update("row-0", ["text": .string("first")])
            second.update("row-0", ["text": .string("second")])
            for client in [first, second] { try client.push() }
            #expect(second.connection.exchanges.suffix(2).map(\.code) == [412, 200])
            #expect(try server.rows()["row-0"]?.columns["text"] == .string("second"))
        },
        SeedDemand("the app drops an item whose id is taken, or whose row is deleted") { server, kind in
            let (first, second) = (try server.client(kind, with: 2), server.client(kind))
            try second.pull()
            second.insert("own", SeedServer.item("first"))
            first.insert("own", SeedServer.item("other"))
            second.delete("row-1")
            first.delete("row-1")
            for client in [first, second] { try client.pull() }
            try first.pull()
            #expect(first.rows == second.rows)
            #expect(try first.rows == server.rows())
            #expect(first.rows.keys.sorted() == ["own", "row-0"])
        },
        SeedDemand("a deleted item can be brought back") { server, kind in
            let (client, other) = (try server.client(kind, with: 1), server.client(kind))
            client.delete("row-0")
            try client.push()
            try other.pull()
            #expect(other.rows == [:])
            let restored = try server.exchange(kind, "POST", "/tables/TodoItem/row-0")
            #expect(restored.code == (kind == .ios2 ? 200 : 201))
            try other.pull()
            #expect(other.rows.keys.sorted() == ["row-0"])
        },
    ]

    /// Looking at the rows with other tools.
    static let tools: [SeedDemand] = [
        SeedDemand("a request typed by hand needs no field, and answers JSON that can be read") { server, kind in
            _ = try server.client(kind, with: 2)
            let answer = try WireClient(port: server.port).exchange("GET", "/tables/TodoItem")
            #expect(answer.code == 200)
            #expect(answer["Content-Type"]?.hasPrefix("application/json") == true)
            #expect(try answer.rows.map { $0["id"]?.text } == ["row-0", "row-1"])
        },
        SeedDemand("what waits on the device isn't on the server, and what was pushed is at once") { server, kind in
            let client = server.client(kind)
            client.insert("a", SeedServer.item("tea"))
            #expect(try server.rows() == [:])
            try client.push()
            #expect(try server.rows().keys.sorted() == ["a"])
        },
        SeedDemand("plain HTTP, where the app's address says so", [.ios3]) { server, kind in
            let answer = try server.exchange(kind, "GET", "/tables/TodoItem")
            #expect(answer.code == 200)
        },
    ]
}

import JSONText
import SyncTesting
import Testing
import WireTesting

/// The table, its columns and its dialects.
extension SeedDemand {
    static let items: [SeedDemand] = [
        SeedDemand("a table with text ids that the client makes, a text and a boolean") { server, kind in
            let id = "3F2A6B5C-0D1E-4F7A-9B8C-7D6E5F4A3B2C"
            let client = server.client(kind)
            client.insert(id, SeedServer.item("buy milk"))
            try client.push()
            #expect(try server.rows()[id]?.columns == SeedServer.item("buy milk"))
        },
        SeedDemand("both dialects on one set of rows") { server, kind in
            let other: ClientKind = kind == .ios2 ? .ios3 : .ios2
            let client = try server.client(kind, with: 3)
            let same = server.client(other)
            try same.pull()
            try client.pull()
            #expect(same.rows == client.rows)
        },
        SeedDemand("the application's key, which Mobile Apps don't know") { server, kind in
            let client = server.client(kind)
            try client.pull()
            let sent = client.connection.exchanges.flatMap(\.request.fields)
            #expect(sent.contains("X-ZUMO-APPLICATION: app-key") == (kind == .ios2))
            #expect(client.connection.exchanges.map(\.code) == [200])
        },
        SeedDemand("a version that every write renews, in the row and in ETag") { server, kind in
            let name = kind == .ios2 ? "__version" : "version"
            let query = kind == .ios2 ? "?__systemProperties=__version" : ""
            let added = try server.exchange(kind, "POST", "/tables/TodoItem\(query)", #"{"id":"a","text":"tea"}"#)
            let changed = try server.exchange(kind, "PATCH", "/tables/TodoItem/a\(query)", #"{"text":"milk"}"#)
            for answer in [added, changed] {
                #expect(answer["ETag"] == "\"\(try answer.row[name]?.text ?? "")\"")
            }
            #expect(added["ETag"] != changed["ETag"])
        },
        SeedDemand("stamps of the making and the last change where the app wants them") { server, kind in
            let isFirst = kind == .ios2
            let path = "/tables/TodoItem\(isFirst ? "?__systemProperties=__createdAt%2C__updatedAt" : "")"
            let row = try server.exchange(kind, "POST", path, #"{"id":"a","text":"tea"}"#).row
            let names = isFirst ? ["__createdAt", "__updatedAt"] : ["createdAt", "updatedAt"]
            for name in names {
                #expect(try #require(row[name]?.text).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
            }
            let bare = try server.exchange(kind, "GET", "/tables/TodoItem/a").row
            #expect(bare.keys.contains(names[0]) == !isFirst)
        },
        SeedDemand("no column whose name is one of the system's") { server, kind in
            let reserved = kind == .ios2 ? "__createdAt" : "createdAt"
            let answer = try server.exchange(kind, "POST", "/tables/TodoItem", "{\"id\":\"a\",\"\(reserved)\":\"x\"}")
            #expect(answer.code == 400)
            #expect(try server.rows() == [:])
        },
    ]
}

/// Pushes and pulls.
extension SeedDemand {
    static let syncing: [SeedDemand] = [
        SeedDemand("new and changed items are pushed from the queue, whole") { server, kind in
            let client = server.client(kind)
            client.insert("a", SeedServer.item("tea"))
            try client.push()
            client.update("a", ["complete": .boolean(true)])
            try client.push()
            #expect(client.connection.exchanges.map(\.code) == [201, 200])
            #expect(try server.rows()["a"]?.columns == SeedServer.item("tea", true))
        },
        SeedDemand("a pull pushes what waits before it asks for anything") { server, kind in
            let client = server.client(kind)
            for number in 0..<20 { client.insert("row-\(number)", SeedServer.item("item")) }
            try client.pull()
            #expect(client.connection.exchanges.prefix(20).allSatisfy { $0.code == 201 })
            #expect(
                client.connection.exchanges.dropFirst(20).allSatisfy { $0.request.method == .get && $0.code == 200 })
            #expect(try client.rows == server.rows())
        },
        SeedDemand("several tables are pushed in the order of the changes", [.ios2, .ios3]) { server, kind in
            let (todo, hard) = (server.client(kind), server.client(kind, table: "hard"))
            for number in 0..<5 {
                todo.insert("row-\(number)", SeedServer.item("item"))
                try todo.push()
                hard.insert("row-\(number)", ["title": .string("title"), "done": .boolean(false)])
                try hard.push()
            }
            let answered = (todo.connection.exchanges + hard.connection.exchanges).map(\.code)
            #expect(answered.allSatisfy { $0 == 201 })
            #expect(try ServerRows(of: "hard", port: server.port).live.count == 5)
        },
        SeedDemand("a pull of what is not complete, page by page", [.ios2]) { server, kind in
            _ = try server.client(kind, with: 130)
            let open = server.client(kind, filter: "(complete eq false)", isIncremental: false)
            try open.pull()
            #expect(try open.rows == server.rows().filter { $0.value.columns["complete"] == .boolean(false) })
            #expect(open.connection.exchanges.count == 3)
        },
        SeedDemand("a pull of everything, in a stable order though it asks for none", [.ios2, .ios3]) { server, kind in
            _ = try server.client(kind, with: 120)
            let client = server.client(kind, isIncremental: false)
            client.beginPull()
            var ids: [String] = []
            while try client.pullPage() { ids += client.lastPage.map(\.id) }
            #expect(ids == ids.sorted() && ids.count == 120)
            #expect(try client.rows == server.rows())
        },
        SeedDemand("an incremental pull, also one of what is not complete", [.ios2, .ios3]) { server, kind in
            let writer = try server.client(kind, with: 60)
            let (everything, open) = (server.client(kind), server.client(kind, filter: "(complete eq false)"))
            for client in [everything, open] { try client.pull() }
            writer.update("row-1", ["text": .string("changed")])
            writer.update("row-3", ["complete": .boolean(false)])
            try writer.push()
            for client in [everything, open] {
                client.connection.forget()
                try client.pull()
                #expect(client.connection.exchanges.count <= 3)
            }
            let rows = try server.rows()
            #expect(everything.rows == rows)
            #expect(open.rows == rows.filter { $0.value.columns["complete"] == .boolean(false) })
        },
        SeedDemand("deleted items reach the other devices") { server, kind in
            let writer = try server.client(kind, with: 5)
            let other = server.client(kind)
            try other.pull()
            writer.delete("row-2")
            try writer.push()
            try other.pull()
            #expect(other.rows.keys.sorted() == ["row-0", "row-1", "row-3", "row-4"])
        },
        SeedDemand("a pull that finds nothing new is cheap") { server, kind in
            let client = try server.client(kind, with: 60)
            try client.pull()
            client.connection.forget()
            try client.pull()
            #expect(client.connection.exchanges.count == kind.idleRequests)
            #expect(client.lastPage == [])
        },
        SeedDemand("what waited in the queue is taken though it is old and the connection is new") { server, kind in
            let client = try server.client(kind, with: 1)
            client.update("row-0", ["text": .string("offline")])
            client.insert("new", SeedServer.item("offline too"))
            // Meanwhile the server has been busy with other rows.
            let other = server.client(kind)
            for number in 0..<30 { other.insert("other-\(number)", SeedServer.item("item")) }
            try other.push()
            try client.pull()
            #expect(try client.rows == server.rows())
            #expect(client.rows["row-0"]?.columns["text"] == .string("offline"))
        },
        SeedDemand("everybody sees what anybody has pushed") { server, kind in
            let clients = (0..<4).map { _ in server.client(kind) }
            for (number, client) in clients.enumerated() { client.insert("of \(number)", SeedServer.item("item")) }
            for client in clients { try client.push() }
            for client in clients {
                try client.pull()
                #expect(client.rows.count == 4)
            }
        },
    ]
}

import JSONText
import Testing
import WireTesting
import ZumodServer

@Suite struct `Tables in the hands of a handler` {
    /// `POST /api/rows/TABLE/VERB/ID?version=…` does what its path says with the body's values.
    private static func extensions() -> Extensions {
        var extensions = Extensions()
        extensions.api("rows") { api in
            api.post { request in
                let id = request.path.count > 2 ? request.path[2] : ""
                let version = request.parameter("version")
                do throws(RowsError) {
                    let rows = try request.tables[request.path[0]]
                    switch request.path[1] {
                    case "find":
                        let row = try await rows.find(id, includeDeleted: version == "any")
                        return .json(rows: row.map { [$0] } ?? [])
                    case "list":
                        let title = request.parameter("title")
                        return .json(
                            rows: try await rows.list(
                                where: title.map { "title eq \($0)" }, orderBy: request.parameter("order") ?? "",
                                skip: Int(request.parameter("skip") ?? "") ?? 0,
                                top: Int(request.parameter("top") ?? "") ?? 10))
                    case "insert": return .json(row: try await rows.insert(record(request)), status: .created)
                    case "update":
                        return .json(row: try await rows.update(id, set: record(request), ifVersion: version))
                    case "delete": return .json(row: try await rows.delete(id, ifVersion: version))
                    default: return .json(row: try await rows.undelete(id, ifVersion: version))
                    }
                } catch {
                    switch error {
                    case .noTable(let name): return .text("no table \(name)", status: .notFound)
                    case .noRow: return .text("no row", status: .notFound)
                    case .conflict(let row): return .json(row: row ?? [:], status: .conflict)
                    case .invalidID: return .text("invalid id", status: .badRequest)
                    case .operation: return .text("refused", status: .badRequest)
                    }
                }
            }
        }
        return extensions
    }

    private static func record(_ request: APIRequest) -> Record {
        guard case .object(let members)? = try? request.json() else { return [:] }
        return Record(members.compactMap { member in Value(member.value).map { Property(member.name, $0) } })
    }

    @Test(arguments: TestDatabase.all)
    func `do what clients can do, with the same rows`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            func call(_ path: String, _ body: String = "") throws -> WireResponse {
                try client.exchange("POST", "/api/rows/\(path)", body)
            }
            let inserted = try call("TODO/insert", #"{"id":"a","text":"milk","complete":false}"#)
            #expect(inserted.code == 201)
            let row = try client.exchange("GET", "/tables/todo/a")
            #expect(inserted.text == row.text)
            #expect(try call("todo/find/a").text == "[\(row.text)]")
            #expect(try call("todo/find/b").text == "[]")
            #expect(try call("todo/insert", #"{"id":"a"}"#).code == 409)
            #expect(try call("todo/insert", #"{"id":"a/b"}"#).text == "invalid id")
            #expect(try call("todo/insert", #"{"text":"no id"}"#).row["id"]?.text?.utf8.count == 36)
            let version = try row.row["version"]?.text ?? ""
            let updated = try call("todo/update/a?version=\(version)", #"{"complete":true}"#)
            #expect(try updated.row["complete"] == true && updated.row["text"] == "milk")
            let stale = try call("todo/update/a?version=\(version)", #"{"complete":false}"#)
            #expect(stale.code == 409 && stale.text == updated.text)
            #expect(try call("todo/update/none", #"{"complete":false}"#).text == "no row")
            #expect(try call("todo/update/a", #"{"createdAt":"x"}"#).text == "refused")
            #expect(try call("todo/delete/a?version=x").code == 409)
            #expect(try call("todo/delete/a").row["deleted"] == true)
            #expect(try call("todo/find/a").text == "[]")
            #expect(try call("todo/find/a?version=any").text.contains(#""deleted":true"#))
            #expect(try call("todo/undelete/a").row["deleted"] == false)
            #expect(try call("none/find/a").text == "no table none")
        }
    }

    @Test(arguments: TestDatabase.all)
    func `list rows by conditions whose values stay values`(on database: TestDatabase) async throws {
        try await TestServer.with(on: database, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            func titles(_ query: String) throws -> [String] {
                try client.exchange("POST", "/api/rows/numbered/list?\(query)").rows.map { $0["title"]?.text ?? "" }
            }
            for title in ["O'Hara", "b", "' or 1 eq 1 or '"] {
                var body = JSONWriter()
                body.value(["title": .string(title)])
                let text = String(decoding: body.bytes, as: UTF8.self)
                #expect(try client.exchange("POST", "/api/rows/numbered/insert", text).code == 201)
            }
            #expect(try titles("title=O'Hara") == ["O'Hara"])
            #expect(try titles("title='%20or%201%20eq%201%20or%20'") == ["' or 1 eq 1 or '"])
            #expect(try titles("order=title%20desc&top=2") == ["O'Hara", "b"])
            #expect(try titles("order=id&skip=1&top=1") == ["b"])
            #expect(try titles("") == ["O'Hara", "b", "' or 1 eq 1 or '"])
            #expect(try client.exchange("POST", "/api/rows/numbered/find/2").rows.count == 1)
            #expect(try client.exchange("POST", "/api/rows/numbered/find/02").rows.isEmpty)
            #expect(try client.exchange("POST", "/api/rows/numbered/list?order=(").text == "refused")
        }
    }

    @Test func `are open to a handler although their level keeps clients out`() async throws {
        try await TestServer.with(on: .sqlite, extensions: Self.extensions()) { server in
            let client = try WireClient(port: server.port)
            #expect(try client.exchange("POST", "/tables/guarded", #"{"id":"a"}"#).code == 401)
            #expect(try client.exchange("POST", "/api/rows/guarded/insert", #"{"id":"a"}"#).code == 201)
        }
    }
}

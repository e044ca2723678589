import JSONText
import Testing
import WireTesting

@Suite struct `Ids of the client suites` {
    private static let ids: [String] = [
        "id", "true", "false", "7f1c2d9a-8f70-4a3e-9b61-0a6b2d3c4e5f", "7F1C2D9A8F704A3E9B610A6B2D3C4E5F",
        "{7f1c2d9a-8f70-4a3e-9b61-0a6b2d3c4e5f}", "(7f1c2d9a-8f70-4a3e-9b61-0a6b2d3c4e5f)", "someone@someplace.com",
        "id with  blanks", "with.dots.", "...", "'id' with single quotes",
        "id with 255 characters "
            + String(repeating: "A", count: 232), "id with Japanese 私の車はどこですか？", "id with Arabic أين هو سيارتي؟",
        "id with Russian Где моя машина", "!#$'(),-.0123456789;=@AZ[]^_az{|}", " leading and trailing ",
        String(String.UnicodeScalarView((0xA1...0xD0).compactMap { Unicode.Scalar($0) })),
        String(String.UnicodeScalarView((0xD1...0xFE).compactMap { Unicode.Scalar($0) })),
    ]

    @Test(arguments: TestDatabase.all)
    func `every text id goes through all that a suite does with it`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for id in Self.ids {
                let row = try client.insert("{\"id\":\(id.json),\"name\":\"a\"}", into: "droidStringIdTable")
                #expect(row["id"] == .string(id))
                #expect(try client.rows("DROIDSTRINGIDTABLE").count == 1)
                #expect(try client.ids("droidStringIdTable?$filter=ID%20eq%20\(id.literal)") == [id])
                #expect(
                    try client.rows("droidStringIdTable?$select=Id,NAME")[0] == [
                        "id": .string(id), "name": .string("a"),
                    ])
                let path = "droidStringIdTable/" + id.encoded
                #expect(try client.exchange("GET", path).row["id"] == .string(id))
                let updated = try client.exchange("PATCH", path, "{\"id\":\(id.json),\"name\":\"b\"}")
                #expect(try updated.code == 200 && updated.row["name"] == .string("b"))
                #expect(try client.exchange("GET", path).text == updated.text)
                #expect(try client.exchange("DELETE", path).code == 200)
                #expect(try client.exchange("GET", path).code == 404)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a taken id is a conflict, and a missing row is told in the one text that every suite takes`(
        on database: TestDatabase
    ) async throws {
        try await SuiteClient.with(database) { client in
            let row = try client.insert(#"{"id":"k","name":"a"}"#, into: "roundTripTable")
            let again = try client.exchange("POST", "roundTripTable", #"{"id":"k","name":"b"}"#)
            #expect(try again.code == 409 && again.row == row)
            for (method, path, body) in [
                ("GET", "roundTripTable/none", ""), ("PATCH", "roundTripTable/none", #"{"name":"x"}"#),
                ("DELETE", "roundTripTable/none", ""), ("GET", "intIdRoundTripTable/-1", ""),
                ("DELETE", "intIdRoundTripTable/99999", ""),
            ] {
                let response = try client.exchange(method, path, body)
                #expect(response.code == 404, "\(method) \(path)")
                #expect(try response.row["error"] == .string("The item does not exist"))
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `rows with numbers are asked for by decimal text`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let row = try client.insert(#"{"name":"a","string1":"s"}"#, into: "intIdRoundTripTable")
            guard case .integer(let id)? = row["id"] else { throw WireClient.Failure.malformed("\(row)") }
            let path = "intIdRoundTripTable/\(id)"
            let updated = try client.exchange("PATCH", path, "{\"id\":\(id),\"name\":\"b\"}")
            #expect(try updated.code == 200 && updated.row["id"] == .integer(id))
            #expect(try client.exchange("PATCH", path, "{\"id\":\"\(id)\",\"name\":\"c\"}").code == 200)
            #expect(try client.ids("intIdRoundTripTable?$filter=id%20eq%20\(id)") == ["\(id)"])
            #expect(try client.exchange("DELETE", path).code == 200)
        }
    }

    @Test(arguments: TestDatabase.all)
    func `text ids of rows with numbers are refused in the words of the first suites, and blank ones find nothing`(
        on database: TestDatabase
    ) async throws {
        try await SuiteClient.with(database) { client in
            let table = "intIdRoundTripTable"
            _ = try client.insert(#"{"name":"a"}"#, into: table)
            for id in Self.ids {
                let row = "{\"id\":\(id.json),\"name\":\"Hey!\"}"
                let path = "\(table)/\(id.encoded)"
                let number = "Error: The value specified for 'id' must be a number."
                for (method, target, body, words) in [
                    ("GET", "\(table)?$filter=(id%20eq%20\(id.literal))", "", "Bad request"),
                    ("POST", table, row, "Error: A value cannot be specified for property 'id'"),
                    ("GET", path, "", number), ("PATCH", path, row, number), ("DELETE", path, "", number),
                ] {
                    let response = try client.services(method, target, body)
                    #expect(response.code == 400, "\(method) \(target)")
                    #expect(try response.row["error"]?.text?.contains(words) == true, "\(method) \(target)")
                }
            }
            for blank in ["", " "] {
                let target = "\(table)?$filter=(id%20eq%20\(blank.literal))"
                #expect(try client.services("GET", target).text == "[]")
                #expect(try client.exchange("GET", target).text == "[]")
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a request that comes twice is done twice`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for _ in 0..<2 { _ = try client.insert(#"{"name":"same"}"#, into: "roundTripTable") }
            #expect(try client.rows("roundTripTable?$filter=name%20eq%20'same'").count == 2)
        }
    }
}

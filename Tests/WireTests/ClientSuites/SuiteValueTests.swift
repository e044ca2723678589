import JSONText
import Testing
import WireTesting

@Suite struct `Values of the client suites` {
    private static let texts = [
        "", " ", "x", String(repeating: "*", count: 65_536), "\"quotes' and\nnew\r\nlines\t", "아이오이",
        "Ελληνικά", "ação é português", "日本語", "\\ / \u{8}\u{c}", "🙂",
    ]
    private static let numbers = [
        "0", "1", "-1", "2147483647", "-2147483648", "9007199254740992", "-9007199254740992", "1.234e+123",
        "1.7976931348623157e+308", "-1.7976931348623157e+308", "5e-324", "0.1", "123.456",
    ]
    private static let dates = [
        "0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z", "1970-01-01T00:00:00.000Z", "2013-02-28T12:34:56.001Z",
        "2026-11-21T00:00:00.860Z", "9876-05-04T03:02:01.000Z", "9999-12-31T23:59:59.999Z",
    ]

    /// Sends a member and reads it back, in the answer and by a lookup; then sets it to null.
    private static func roundTrip(_ client: SuiteClient, _ name: String, _ value: String) throws -> JSONValue {
        let row = try client.insert("{\"\(name)\":\(value)}", into: "roundTripTable")
        let path = "roundTripTable/" + (row["id"]?.text ?? "")
        #expect(try client.exchange("GET", path).row == row)
        let emptied = try client.exchange("PATCH", path, "{\"\(name)\":null}")
        #expect(try emptied.code == 200 && emptied.row[name] == .null)
        return try #require(row[name])
    }

    @Test(arguments: TestDatabase.all)
    func `every value comes back as it was, and can become null`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for text in Self.texts { #expect(try Self.roundTrip(client, "name", text.json) == .string(text)) }
            for number in Self.numbers {
                for name in ["number", "integer"] {
                    let sent = try JSONReader.parse(Array(number.utf8))
                    #expect(try Self.number(Self.roundTrip(client, name, number)) == Self.number(sent), "\(number)")
                }
            }
            for date in Self.dates { #expect(try Self.roundTrip(client, "date1", date.json) == .string(date)) }
            for flag in ["true", "false"] {
                #expect(try Self.roundTrip(client, "bool", flag) == .boolean(flag == "true"))
            }
            for name in ["name", "number", "bool", "date1"] {
                #expect(try Self.roundTrip(client, name, "null") == .null)
            }
        }
    }

    private static func number(_ value: JSONValue) -> Double? {
        value.text.flatMap(Double.init) ?? { if case .number(let number) = value { number } else { nil } }()
    }

    @Test(arguments: TestDatabase.all)
    func `objects, arrays and unknown columns are refused with a text`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            for (table, body) in [
                ("roundTripTable", #"{"unknown":null}"#), ("roundTripTable", #"{"name":{"a":1}}"#),
                ("roundTripTable", #"{"name":[1]}"#), ("droidStringIdTable", #"{"other":{"a":1}}"#),
            ] {
                let response = try client.exchange("POST", table, body)
                #expect(response.code == 400, "\(body)")
                #expect(try response.row["error"]?.text?.isEmpty == false)
            }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `a date is found by its milliseconds`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            let date = "2026-11-21T10:20:30.860"
            let row = try client.insert("{\"date\":\"\(date)Z\",\"dateOffset\":\"\(date)Z\"}", into: "dates")
            for filter in [
                "date eq datetime'\(date)Z'", "date eq datetimeoffset'\(date)0000+00:00'",
                "dateOffset eq datetimeoffset'\(date)0000Z'", "dateOffset eq datetime'\(date)'",
            ] { #expect(try client.rows("dates?$filter=\(filter.encoded)") == [row], "\(filter)") }
        }
    }

    @Test(arguments: TestDatabase.all)
    func `system properties are set, grow and stay as they should`(on database: TestDatabase) async throws {
        try await SuiteClient.with(database) { client in
            var last = try client.insert(#"{"name":"0"}"#, into: "roundTripTable")
            let created = last["createdAt"]?.text
            #expect(created != nil && last["version"]?.text?.isEmpty == false)
            for step in 1...5 {
                let path = "roundTripTable/" + (last["id"]?.text ?? "")
                let row = try client.exchange("PATCH", path, "{\"name\":\"\(step)\"}").row
                #expect(row["createdAt"]?.text == created)
                #expect(row["updatedAt"]?.text ?? "" > last["updatedAt"]?.text ?? "")
                #expect(row["version"] != last["version"])
                last = row
            }
        }
    }
}

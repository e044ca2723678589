import HTTPModel
import JSONText
import TableOperations
import Tables
import Testing

@testable import TableAPI

@Suite struct `The body of a write` {
    private static func body(_ text: String, _ fields: [(StaticString, String)] = []) throws -> RequestBody {
        var request = HTTPRequest(method: .post, target: Array("/tables/todo".utf8), body: Array(text.utf8))
        for (name, value) in fields { request.fields.append(name, value) }
        return try RequestBody(request)
    }

    @Test func `its properties keep their order, names and types`() throws {
        let body = try Self.body(#"{"text":"tea","n":1,"r":1.5,"done":false,"Note":null}"#)
        #expect(
            body.properties == [
                Property("text", .text("tea")), Property("n", .integer(1)), Property("r", .number(1.5)),
                Property("done", .boolean(false)), Property("Note", .null),
            ])
        #expect(body.id == nil)
        #expect(body.version == nil)
    }

    @Test(
        arguments: [
            (.string, "12345", .text("12345")), (.string, "1.50", .text("1.5")), (.string, "1e30", .text("1e+30")),
            (.string, "12345678901234567891", .text("12345678901234567891")), (.string, "true", .boolean(true)),
            (.number, #""1.50""#, .number(1.5)), (.number, #""-2""#, .number(-2)), (.number, #""1e3""#, .number(1000)),
            (.number, #""12345678901234567891""#, .text("12345678901234567891")), (.number, #""""#, .text("")),
            (.number, #"" 1""#, .text(" 1")), (.number, #""0x1""#, .text("0x1")), (.number, #""01""#, .text("01")),
            (.number, #""NaN""#, .text("NaN")), (.number, #""+1""#, .text("+1")), (.number, #"".5""#, .text(".5")),
            (.integer, #""9223372036854775807""#, .integer(.max)), (.integer, #""7.0""#, .integer(7)),
            (.integer, #""9223372036854775808""#, .text("9223372036854775808")), (.integer, #""1.5""#, .text("1.5")),
            (.boolean, "0", .boolean(false)), (.boolean, "1", .boolean(true)), (.boolean, "2", .integer(2)),
            (.boolean, #""true""#, .boolean(true)), (.boolean, #""false""#, .boolean(false)),
            (.boolean, #""TRUE""#, .text("TRUE")), (.date, "1", .integer(1)), (.string, "null", .null),
        ] as [(ColumnType, String, Value)])
    func `a value becomes one of its column where nothing of it gets lost`(
        _ type: ColumnType, _ json: String, _ value: Value
    ) throws {
        let column = Column(try #require(Identifier("x")), type)
        let table = Table(name: column.name, columns: [column], rules: TableRules())
        let request = HTTPRequest(
            method: .post, target: Array("/tables/x".utf8), body: Array("{\"X\":\(json)}".utf8))
        #expect(try RequestBody(request, for: table).properties == [Property("X", value)])
    }

    @Test(
        arguments: [
            (#"{"id":"k1"}"#, .text("k1")), (#"{"ID":"k1"}"#, .text("k1")), (#"{"id":12}"#, .integer(12)),
            (#"{"id":""}"#, .text("")), (#"{"id":null}"#, nil), ("{}", nil), (#"{"id":"a","id":"b"}"#, .text("b")),
        ] as [(String, RequestBody.BodyID?)])
    func `the id is text or a whole number`(_ text: String, _ id: RequestBody.BodyID?) throws {
        #expect(try Self.body(text).id == id)
    }

    @Test(arguments: ["true", "1.5", "[1]", "{}"])
    func `another id is refused`(_ value: String) {
        #expect { try Self.body("{\"id\":\(value)}") } throws: {
            guard case .idNotText = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test(
        arguments: [
            (#"{"version":"AAAAAAAAB9E="}"#, .version(Version(counter: 2001))),
            (#"{"Version":"AAAAAAAAB9E="}"#, .version(Version(counter: 2001))), (#"{"version":null}"#, nil),
            (#"{"version":"what"}"#, .unmatchable), (#"{"version":7}"#, .unmatchable),
        ] as [(String, Precondition?)])
    func `the version is a precondition`(_ text: String, _ version: Precondition?) throws {
        let body = try Self.body(text)
        #expect(body.version == version)
        #expect(body.properties.isEmpty)
    }

    @Test(arguments: ["createdAt", "updatedAt", "deleted", "CREATEDAT", "UpdatedAt", "Deleted"])
    func `a property of the server is refused by the name that was sent`(_ name: String) {
        #expect { try Self.body("{\"text\":\"tea\",\"\(name)\":null}") } throws: {
            guard case .operation(.table(.reservedProperty(name))) = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test(arguments: ["[]", "{}"])
    func `a nested value is refused by its property`(_ value: String) {
        #expect { try Self.body("{\"tags\":\(value)}") } throws: {
            guard case .nestedValue("tags") = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test(arguments: ["null", "5", "\"tea\"", "[]", "[{}]"])
    func `anything but an object is refused`(_ text: String) {
        #expect { try Self.body(text) } throws: {
            guard case .bodyNotObject = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test func `an empty body is an empty row and blanks are not JSON`() throws {
        #expect(try Self.body("").properties.isEmpty)
        #expect { try Self.body("  ") } throws: {
            guard case .json(let error) = $0 as? RequestError else { return false }
            return error.offset == 2 && error.reason == .unexpectedEnd
        }
    }

    @Test(arguments: [
        nil, "", "application/json", "APPLICATION/JSON", "application/json;charset=utf-8",
        "application/json ; Charset=\"UTF-8\"", "application/json; odata=verbose", "text/json; charset=us-ascii",
    ])
    func `JSON comes under these types`(_ type: String?) {
        let fields = type.map { [("Content-Type" as StaticString, $0)] } ?? []
        #expect(throws: Never.self) { try Self.body("{}", fields) }
    }

    @Test(arguments: ["text/plain", "application/vnd.api+json", "application/jsonx", "json", ";"])
    func `another type is refused`(_ type: String) {
        #expect { try Self.body("{}", [("Content-Type", type)]) } throws: {
            guard case .mediaType(type, _) = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test(arguments: ["utf-16", "latin1", "\"utf-16\"", "\""])
    func `another charset is refused`(_ charset: String) {
        #expect { try Self.body("{}", [("Content-Type", "application/json; charset=\(charset)")]) } throws: {
            guard case .charset = $0 as? RequestError else { return false }
            return true
        }
    }

    @Test func `a coded body is refused`() {
        #expect(throws: Never.self) { try Self.body("{}", [("Content-Encoding", "identity")]) }
        #expect { try Self.body("{}", [("Content-Encoding", "gzip")]) } throws: {
            guard case .contentCoding("gzip") = $0 as? RequestError else { return false }
            return true
        }
    }
}

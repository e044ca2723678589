import HTTPModel
import Testing

@Suite("A method that a POST names in a header field")
struct MethodOverrideTests {
    private func post(_ fields: [(HTTPFieldName, String)], method: HTTPMethod = .post, body: String = "") -> HTTPRequest
    {
        var request = HTTPRequest(method: method, target: Array("/tables/todo/1".utf8), body: Array(body.utf8))
        for (name, value) in fields { request.fields.append(named: name, value) }
        return request
    }

    @Test(arguments: ["X-HTTP-Method-Override", "x-http-method-override", "X-HTTP-Method", "X-Method-Override"])
    func `every name of the field counts, and methods in any case`(name: String) throws {
        let field = try #require(HTTPFieldName(name))
        for (value, method) in [
            ("PATCH", HTTPMethod.patch), ("delete", .delete), ("Put", .put), ("get", .get), ("POST", .post),
            ("", .post),
        ] {
            #expect(try post([(field, value)]).asMeant().method == method)
        }
    }

    @Test(arguments: ["MERGE", "HEAD", "OPTIONS", "PATCH, DELETE", "PATCH;", "nonsense", "TRACE", "CONNECT"])
    func `a name that can't be followed is refused rather than passed over`(value: String) {
        #expect(throws: MethodOverrideFault.unknown(value.uppercased())) {
            try post([("X-HTTP-Method-Override", value)]).asMeant()
        }
    }

    @Test func `fields that disagree are refused, and those that agree are one`() throws {
        let fields: [(HTTPFieldName, String)] = [("X-HTTP-Method-Override", "PATCH"), ("X-HTTP-Method", "DELETE")]
        #expect(throws: MethodOverrideFault.ambiguous) { try post(fields).asMeant() }
        let repeated: [(HTTPFieldName, String)] = [("X-HTTP-Method", "PATCH"), ("X-HTTP-Method", "DELETE")]
        #expect(throws: MethodOverrideFault.ambiguous) { try post(repeated).asMeant() }
        let same: [(HTTPFieldName, String)] = [("X-HTTP-Method", "PATCH"), ("X-HTTP-Method-Override", "patch")]
        #expect(try post(same).asMeant().method == .patch)
    }

    @Test func `a read in disguise has no body`() {
        #expect(throws: MethodOverrideFault.readWithBody) {
            try post([("X-HTTP-Method", "GET")], body: "$filter=id eq '1'").asMeant()
        }
    }

    @Test(arguments: [HTTPMethod.get, .head, .put, .patch, .delete, .options])
    func `nothing but a POST is another method in disguise`(method: HTTPMethod) throws {
        #expect(try post([("X-HTTP-Method-Override", "POST")], method: method).asMeant().method == method)
    }

    @Test func `all else of the request stays`() throws {
        let meant = try post([("X-HTTP-Method-Override", "PATCH"), ("If-Match", "\"a\"")], body: "{}").asMeant()
        #expect(meant.fields["If-Match"] == "\"a\"")
        #expect(meant.body == Array("{}".utf8))
        #expect(meant.target == Array("/tables/todo/1".utf8))
    }
}

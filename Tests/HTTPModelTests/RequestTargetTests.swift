import HTTPModel
import Testing

@Suite("Request target")
struct RequestTargetTests {
    @Test(
        arguments: [
            ("/", []),
            ("/tables/todoitem", ["tables", "todoitem"]),
            ("/tables/todoitem/", ["tables", "todoitem"]),
            ("/tables/%74odoitem", ["tables", "todoitem"]),
            ("/tables/a%2Fb", ["tables", "a/b"]),
            ("/tables//x", ["tables", "", "x"]),
            ("/a+b", ["a+b"]),
            ("/caf%C3%A9", ["café"]),
            ("/café", ["café"]),
            ("/a?b/c", ["a"]),
            ("/a#b?c", ["a"]),
            ("http://host/tables/x", ["tables", "x"]),
            ("HTTPS://host:443/tables/x?y", ["tables", "x"]),
            ("http://host", []),
            ("http://host?x=1", []),
        ] as [(String, [String])])
    func `the path splits before it is decoded`(target: String, segments: [String]) throws {
        #expect(try RequestTarget(Array(target.utf8)).segments == segments)
    }

    @Test(
        arguments: [
            ("/a", []),
            ("/a?", []),
            ("/a?b", [("b", "")]),
            ("/a?b=c&d=e", [("b", "c"), ("d", "e")]),
            ("/a?$filter=x+eq+1", [("$filter", "x eq 1")]),
            ("/a?%24filter=x%20eq%201%2B1", [("$filter", "x eq 1+1")]),
            ("/a?b=c=d", [("b", "c=d")]),
            ("/a?b=1&&c=2", [("b", "1"), ("c", "2")]),
            ("/a?b=1&b=2", [("b", "1"), ("b", "2")]),
            ("/a?b=%26", [("b", "&")]),
            ("http://host?b=c", [("b", "c")]),
        ] as [(String, [(String, String)])])
    func `the query splits before it is decoded`(target: String, members: [(String, String)]) throws {
        let expected = members.map { QueryMember(name: $0.0, value: $0.1) }
        #expect(try RequestTarget(Array(target.utf8)).query == expected)
    }

    @Test func `the path is kept as it came for links`() throws {
        #expect(try RequestTarget(Array("/tables/%74odo%20item?x=1".utf8)).rawPath == "/tables/%74odo%20item")
        #expect(try RequestTarget(Array("http://host/a%20b".utf8)).rawPath == "/a%20b")
        #expect(try RequestTarget(Array("http://host".utf8)).rawPath == "/")
    }

    @Test(arguments: [
        ("*", RequestTarget.Fault.notAPath), ("host:80", .notAPath), ("ftp://host/a", .notAPath), ("", .notAPath),
        ("a/b", .notAPath), ("http:/a", .notAPath),
        ("/%", .percentEncoding), ("/%4", .percentEncoding), ("/%4x", .percentEncoding), ("/a?b=%zz", .percentEncoding),
        ("/a?%", .percentEncoding), ("/%00", .nul), ("/a?b=%00", .nul), ("/a?%24%00=b", .nul), ("/a?$%CC%88=%00", .nul),
        ("/%FF", .encoding),
        ("/a?b=%C3", .encoding),
        ("/%C0%AF", .encoding), ("/%ED%A0%80", .encoding),
    ])
    func `a target that is none is refused`(target: String, fault: RequestTarget.Fault) {
        #expect(throws: fault) { try RequestTarget(Array(target.utf8)) }
    }
}

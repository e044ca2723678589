import HTTPModel
import Testing

@testable import ServerLogging

@Suite("What the log shows of a request's head")
struct LoggedHeadTests {
    private func request(_ target: String, _ fields: [(HTTPFieldName, String)] = []) -> HTTPRequest {
        var sent = HTTPFields()
        for (name, value) in fields { sent.append(named: name, value) }
        return HTTPRequest(method: .get, target: Array(target.utf8), fields: sent)
    }

    @Test(arguments: [
        ("/tables/a?b", "/tables/a"), ("/a#b", "/a"), ("http://u:p@h/a?b", "/a"), ("http://u:p@h", ""), ("*", "*"),
        ("u:p@h", ""), ("/a/http://b", "/a/http://b"),
    ])
    func `the path has no query and no password`(target: String, path: String) {
        #expect(LoggedHead.path(of: Array(target.utf8)) == path)
    }

    @Test func `a long path is cut`() {
        let path = LoggedHead.path(of: Array("/\(String(repeating: "x", count: 100_000))".utf8))
        #expect(path.utf8.count <= LoggedHead.pathBytes + 3 && path.hasSuffix("…"))
    }

    @Test(arguments: [
        "access_token=SECRET", "token=SECRET", "%74oken=SECRET", "Authentication_Token=SECRET", "code=SECRET",
        "state=SECRET", "a=eyJSECRET", "eyJSECRET", "url=http%3A%2F%2Fh%2F%3Ftoken%3DSECRET", "X-ZUMO-MASTER=SECRET",
        "apikey=SECRET", "password=SECRET", "completion_origin=SECRET", "x=SECRET", "=eyJSECRET", "%zztoken=SECRET",
    ])
    func `the request line shows no secret of the query`(query: String) {
        let line = LoggedHead.line(of: request("/a?$top=1&\(query)&$skip=2"))
        #expect(!line.contains("SECRET"))
        #expect(line.hasPrefix("GET /a?$top=1&") && line.hasSuffix("***&$skip=2"))
    }

    @Test func `options of lists are shown`() {
        let target = "/tables/a?$filter=x%20eq%201&$skiptoken=abc"
        #expect(LoggedHead.line(of: request(target)) == "GET \(target)")
    }

    @Test(arguments: [
        "Authorization", "X-ZUMO-AUTH", "x-zumo-application", "X-ZUMO-MASTER", "Cookie", "Proxy-Authorization",
        "X-Api-Key", "X-Session-Id", "Referer", "Host", "X-Anything",
    ])
    func `fields show no secret`(name: String) throws {
        let name = try #require(HTTPFieldName(name))
        for value in ["http://u:SECRET@h/", "https://h/?access_token=SECRET", "Bearer eyJSECRET"] {
            #expect(!LoggedHead.fields(of: request("/", [(name, value)])).contains("SECRET"))
        }
    }

    @Test func `fields without secrets are shown, each and all together to some length`() {
        let name: HTTPFieldName = "Accept"
        #expect(LoggedHead.fields(of: request("/", [(name, "a/b"), (name, "c")])) == "Accept: a/b; Accept: c")
        let long = String(repeating: "x", count: 100_000)
        let fields = LoggedHead.fields(of: request("/", Array(repeating: (name, long), count: 100)))
        #expect(fields.utf8.count < 2 * LoggedHead.fieldsBytes)
    }
}

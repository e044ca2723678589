import Access
import CustomAPI
import Testing

@testable import ServerConfiguration

@Suite("API files")
struct APIFileTests {
    private static let key = "auth: { signingKey: 5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa5fb1d1f1a3c3b0aa }"

    private func api(_ text: String, named file: String = "Echo.yaml") throws -> ConfiguredAPI {
        try #require(try ConfigurationDirectory(["apis/\(file)": text]).read().apis.first)
    }

    @Test func `a file switches an API on, with a level for all verbs and for each`() throws {
        let api = try api("kind: ECHO\naccess: admin\nget: { access: anonymous }\nput: { authorize: true }")
        #expect(api.name == "Echo" && api.kind == .echo && api.access == .admin)
        #expect(api.accessPerVerb == [.get: .anonymous, .put: .authenticated])
    }

    @Test(arguments: BuiltInAPI.allCases)
    func `every kind is open to everybody where the file says nothing else`(kind: BuiltInAPI) throws {
        let files = ["zumod.yaml": Self.key, "apis/a.json": "{\"kind\":\"\(kind.rawValue)\"}"]
        let configuration = try ConfigurationDirectory(files).read()
        #expect(configuration.apis.map(\.access) == [.anonymous])
        #expect(configuration.notes.contains { $0.description.contains("for tests only") } == kind.mintsTokens)
    }

    private static let wrong: [(file: String, text: String, fault: String)] = [
        ("a.yaml", "access: admin", "apis/a.yaml: kind: has to be one of echo, movieFinder"),
        ("a.yaml", "kind: ecko", "apis/a.yaml:1: kind: has to be one of echo, movieFinder"),
        ("a.yaml", "kind: echo\naccess: everybody", "apis/a.yaml:2: access: has to be one of anonymous"),
        ("a.yaml", "kind: echo\nacess: admin", "apis/a.yaml:2: acess: unknown key; did you mean access?"),
        (
            "a.yaml", "kind: echo\nget: { acess: admin }",
            "apis/a.yaml:2: get.acess: unknown key; did you mean get.access?"
        ),
        ("a.yaml", "kind: echo\nget: admin", "apis/a.yaml:2: get: has to be a mapping"),
        ("a b.yaml", "kind: echo", "apis/a b.yaml: an API's name has to be"),
        ("a.yaml", "kind: jwtTokenGenerator", "apis/a.yaml: kind: jwtTokenGenerator needs a key"),
        ("a.yaml", "- kind", "apis/a.yaml:1: has to be a mapping"),
    ]

    @Test(arguments: wrong)
    func `what is wrong is told with file, line and key`(file: String, text: String, fault: String) throws {
        let faults = try ConfigurationDirectory(["apis/\(file)": text]).faults()
        #expect(faults.count == 1)
        #expect(faults.first?.hasPrefix(fault) == true, "\(faults)")
    }

    @Test func `two files of one name in any case are a fault, and others are noted`() throws {
        let files = ["apis/a.yaml": "kind: echo", "apis/A.json": "{\"kind\":\"echo\"}"]
        #expect(try ConfigurationDirectory(files).faults().count == 1)
        let notes = try ConfigurationDirectory(["apis/a.js": ""]).read().notes
        #expect(notes.count == 1)
    }
}

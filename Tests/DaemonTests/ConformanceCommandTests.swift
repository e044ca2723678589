import Foundation
import JSONText
import Testing
import WireTesting

@Suite("Conformance by the program", .ownThread)
struct ConformanceCommandTests {
    private static let files = [
        "tables/notes.yaml": "columns: { text: string, done: boolean }\nsoftDelete: true\n",
        "tables/public.yaml": "columns: { text: string }\n",
    ]
    private static let tables = ["--table", "notes", "--hard-table", "public", "--columns", "text=text,boolean=done"]

    @Test func `judges a running server, and says of each check what came of it`() throws {
        let daemon = try Daemon(Workplace(Self.files))
        let workplace = daemon.workplace
        let command = ["conformance", "--against", "http://127.0.0.1:\(daemon.port)"] + Self.tables
        let outcome = try workplace.run(
            command + ["--only", "update/answers-200", "--only", "list/order", "--only", "delete/hard"])
        #expect(outcome.code == 0, "\(outcome.output) \(outcome.errors)")
        #expect(outcome.errors == "")
        #expect(outcome.output.hasPrefix("http://127.0.0.1:\(daemon.port), table notes: v2 (Azure Mobile Apps)\n"))
        #expect(outcome.output.contains("\npass  v2/update/answers-200\npass  v2/delete/hard\n"))
        #expect(outcome.output.contains("\nskip  v2/list/order: no column of the kind number was named; "))
        #expect(outcome.output.contains(" 0 failed, "))
        let all = try workplace.run(command + ["--generation", "v3", "--generation", "v1", "--only", "read/answers*"])
        #expect(all.code == 64)
        let both = try workplace.run(
            command + ["--generation", "v3", "--generation", "v1", "--only", "*read/answers*"])
        #expect(
            both.output.hasSuffix(
                "pass  v1/read/answers-the-row\npass  v3/read/answers-the-row\n"
                    + "2 checks: 2 passed, 0 failed, 0 skipped\n"
            ))
        #expect(daemon.stop() == 0)
        let gone = try workplace.run(command)
        #expect(gone.code == 69)
        #expect(gone.errors.hasPrefix("error: http://127.0.0.1:\(daemon.port) can't be reached: curl: "))
    }

    @Test func `ends with 1 where a check fails, and writes each kind of report`() async throws {
        let workplace = try Workplace()
        try await Receiver().listening { url in
            let server = String(url.prefix { $0 != "?" }.dropLast("/notices".count))
            let command = [
                "conformance", "--against", server, "--only", "read/a-missing-row-answers-404", "--timeout", "60",
            ]
            let text = try workplace.run(command)
            #expect(text.code == 1)
            for part in [
                "FAIL  v2/read/a-missing-row-answers-404\n", "expected: status 404 Not Found\n",
                "came:     status 200 OK\n", "> GET \(server)/tables/StringIdRoundTripTableSoftDelete/zc",
                "> ZUMO-API-VERSION: 2.0.0\n", "< 200 OK\n", "1 check: 0 passed, 1 failed, 0 skipped\n",
            ] {
                #expect(text.output.contains(part), "\(part)")
            }
            let json = try workplace.run(command + ["--format", "json"])
            #expect(json.code == 1)
            let value = try JSONReader.parse(Array(json.output.utf8))
            guard case .object(let members) = value else { throw Daemon.Failure(text: json.output) }
            #expect(members.contains(JSONMember("failed", 1)))
            let junit = try workplace.run(command + ["--format", "junit", "--output", "report.xml"])
            #expect(junit.code == 1 && junit.output.contains("FAIL  v2/read/a-missing-row-answers-404\n"))
            let report = try workplace.contents(of: "report.xml")
            #expect(report.contains(#"<testsuite name="v2" tests="1" failures="1" errors="0" skipped="0">"#))
            let again = try workplace.run(command + ["--format", "junit", "--output", "report.xml"])
            #expect(again.code == 74 && again.errors.contains("report.xml exists already"))
        }
    }

    @Test func `says what is wrong with the command line, or what the server lacks`() throws {
        let daemon = try Daemon(Workplace(Self.files))
        let workplace = daemon.workplace
        let server = ["conformance", "--against", "http://127.0.0.1:\(daemon.port)"]
        for (words, sentence) in [
            (["conformance"], "name a server by --against"),
            (["conformance", "--against", "nowhere"], "--against takes an address such as https://old.example"),
            (server, "--table names a table that it has"),
            (server + Self.tables + ["--only", "nothing/like-it"], "no check of v2 is called `nothing/like-it`"),
            (server + ["--columns", "colour=a"], "--columns takes KIND=NAME,…"),
            (server + ["--generation", "v4"], "v4"),
            (server + ["--timeout", "0"], "--timeout takes 1 to 3600 seconds"),
        ] {
            let outcome = try workplace.run(words)
            #expect(outcome.code == 64 && outcome.errors.contains(sentence), "\(outcome.code) \(outcome.errors)")
        }
        let key = try workplace.run(server + Self.tables + ["--key", "@nowhere"])
        #expect(key.code == 74)
        #expect(daemon.stop() == 0)
    }

    @Test func `lists the checks without a server`() throws {
        let outcome = try Workplace().run("conformance", "--list", "--generation", "v3", "--only", "datasync/put")
        #expect(outcome.code == 0)
        let first =
            "v3/datasync/put-replaces: A replacement sets every column that it does not name to nothing. (v3-70)\n"
        #expect(outcome.output.hasPrefix(first))
    }
}

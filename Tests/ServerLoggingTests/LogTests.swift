import HTTPModel
import Testing
import WireTesting
import ZumoProtocol

@testable import ServerLogging

@Suite("Log lines")
struct LogTests {
    private let lines = LogLines()

    private func logger(_ format: LogSettings.Format, level: LogLevel = .info) -> Log {
        var log = LogSettings()
        log.format = format
        log.level = level
        return Log(CurrentLogSettings(log), write: lines.append)
    }

    @Test func `text has time, level, message and members in order`() throws {
        logger(.text).notice("hello", members: ["b": "2", "a": "one two", "c": "say \"x\"", "d": ""])
        let line = try #require(lines.all.first)
        #expect(line.hasSuffix("Z notice hello a=\"one two\" b=2 c=\"say 'x'\" d=\"\"\n"))
        #expect(line.utf8.count > 24)
    }

    @Test func `JSON has the same as members, and numbers where a member is one`() throws {
        logger(.json).error("a \"b\"", members: ["status": "500", "detail": "x\ny", "id": "42"])
        let line = try #require(lines.all.first)
        #expect(line.hasPrefix("{\"time\":\"2"))
        #expect(
            line.hasSuffix(
                ",\"level\":\"error\",\"message\":\"a \\\"b\\\"\",\"detail\":\"x\\ny\",\"id\":\"42\",\"status\":500}\n")
        )
    }

    /// Collectors keep a type for each member, so that one which was a text stays one, whatever it says.
    @Test func `JSON has a number where the member's name is that of a number, and else a text`() {
        let log = logger(.json)
        log.notice("stopping: requests in flight may finish", members: ["signal": "15"])
        log.notice("the configuration was read again and is in force", members: ["tables": "2"])
        log.notice("a job is done", members: ["job": "nightly", "ms": "12.345"])
        log.notice("purged tombstones", members: ["table": "todo", "count": "3"])
        let members = lines.all.map { $0.split(separator: "\"message\":", maxSplits: 1).last }
        #expect(
            members == [
                "\"stopping: requests in flight may finish\",\"signal\":\"15\"}\n",
                "\"the configuration was read again and is in force\",\"tables\":\"2\"}\n",
                "\"a job is done\",\"job\":\"nightly\",\"ms\":\"12.345\"}\n",
                "\"purged tombstones\",\"count\":3,\"table\":\"todo\"}\n",
            ])
    }

    @Test func `who could not log in is told by address, reason and a mark of the name`() throws {
        logger(.text).report(
            AccessFailure(.password, from: "192.0.2.1", userMark: "0011", reason: "the password is wrong"))
        let line = try #require(lines.all.first)
        let members = "address=192.0.2.1 kind=password reason=\"the password is wrong\" user=0011"
        #expect(line.hasSuffix("notice access refused \(members)\n"))
    }

    @Test func `a line end in a text does not begin a line`() throws {
        logger(.text).log(level: .info, "one\ntwo", members: ["x": "three\r\nfour"])
        #expect(try #require(lines.all.first).filter(\.isNewline).count == 1)
    }

    @Test(arguments: [(LogLevel.warning, 2), (.critical, 0), (.trace, 4)])
    func `events below the level are left out`(level: LogLevel, count: Int) {
        let logger = logger(.text, level: level)
        logger.log(level: .trace, "a")
        logger.log(level: .info, "b")
        logger.warning("c")
        logger.error("d")
        #expect(lines.all.count == count)
    }

    /// What gives orders to a terminal, ends a line or turns the direction of writing round.
    @Test(arguments: ["\u{1b}[31m", "\u{9b}31m", "\u{202e}x", "\u{2028}x", "\u{85}x", "\u{7f}", "\u{0}", "\u{feff}"])
    func `what a client sends gives no orders to a terminal`(_ text: String) throws {
        let harmful = try #require(text.unicodeScalars.first)
        logger(.text).log(level: .info, "a \(text)", members: ["path": "/\(text)"])
        logger(.json).log(level: .info, "a \(text)", members: ["path": "/\(text)"])
        #expect(lines.all.count == 2)
        for line in lines.all { #expect(!line.unicodeScalars.contains(harmful)) }
        #expect(lines.all[0].contains("path=\"/\\u{\(String(harmful.value, radix: 16))}"))
        #expect(lines.all[1].contains("\"path\":\"/\\u"))
    }

    @Test func `text of any language stands as it is`() {
        logger(.text).log(level: .info, "größer", members: ["user": "Facebook:Zoë 😀"])
        logger(.json).log(level: .info, "größer", members: ["user": "Facebook:Zoë 😀"])
        #expect(lines.all[0].hasSuffix("info größer user=\"Facebook:Zoë 😀\"\n"))
        #expect(lines.all[1].hasSuffix("\"message\":\"größer\",\"user\":\"Facebook:Zoë 😀\"}\n"))
    }

    @Test(arguments: [LogSettings.Format.text, .json], [400, 460, 500, 512, 600, 5_000])
    func `a line of any length is whole`(format: LogSettings.Format, length: Int) throws {
        let text = String(repeating: "ü\"x", count: length / 4)
        logger(format).log(level: .info, "a", members: ["detail": text, "status": "200", "user": "u"])
        let line = try #require(lines.all.first)
        let shown = text.replacing("\"", with: format == .json ? "\\\"" : "'")
        switch format {
        case .text: #expect(line.hasSuffix("Z info a detail=\"\(shown)\" status=200 user=u\n"))
        case .json:
            #expect(line.hasSuffix("\"message\":\"a\",\"detail\":\"\(shown)\",\"status\":200,\"user\":\"u\"}\n"))
        }
    }

    @Test(arguments: [0, 7, 10, 999, 1_000, -1, -120, .max, .min] as [Int64])
    func `numbers have all their digits`(_ number: Int64) {
        logger(.text).log(level: .info, "a", members: ["us": "\(number)"])
        #expect(lines.all.first?.hasSuffix(" info a us=\(number)\n") == true)
    }

    /// Usual paths go straight into the line, others by a text.
    @Test(arguments: [
        ("/tables/x?$top=1", "", "path=/tables/x"), ("/tables/x#y?z", "", "path=/tables/x"), ("/", "", "path=/"),
        ("/tables/x", "/here", "path=/here/tables/x"), ("/a\"b", "", "path=\"/a'b\""),
        ("/größer", "", "path=\"/größer\""),
        ("http://me:word@host/tables/x", "", "path=/tables/x"), ("*", "", "path=*"), ("?a", "", "path=\"\""),
        ("/\(String(repeating: "x", count: 255))", "", "path=/\(String(repeating: "x", count: 255))"),
        ("/\(String(repeating: "x", count: 256))", "", "path=\"/\(String(repeating: "x", count: 255))…\""),
    ])
    func `a request's path stands in its line without its query`(target: String, base: String, member: String) throws {
        for format in [LogSettings.Format.text, .json] {
            var request = HTTPRequest(method: .get, target: Array(target.utf8))
            request.basePath = base
            let log = RequestLog(logger(format))
            log.end(
                RequestEvent(
                    id: "1", request: request, answer: RouteResponse(HTTPResponse(.ok)), group: .other, isProbe: false,
                    nanoseconds: 1_234_567))
        }
        #expect(try #require(lines.all.first).hasSuffix(" bytes=0 id=1 method=GET \(member) status=200 us=1234\n"))
        let path = member.dropFirst(5).trimmingPrefix("\"").replacing(/"$/, with: "")
        let start = "\"bytes\":0,\"id\":\"1\",\"method\":\"GET\",\"path\":\""
        let shown = path.replacing("'", with: "\\\"")
        #expect(try #require(lines.all.last).hasSuffix("\(start)\(shown)\",\"status\":200,\"us\":1234}\n"))
    }
}

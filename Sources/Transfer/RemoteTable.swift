import Foundation
import HTTPModel
import JSONText
import OData
import Operating
import Tables
import WorkThreads

/// A table of another server, read through its table API (v2) by the program curl, which knows TLS, proxies and the
/// machine's certificates.
struct RemoteTable: Sendable {
    /// The table's address, which also tells one copy from another.
    let address: String
    private let headers: [String]

    /// Rows that are asked for at a time; nil leaves it to a server that allows no such number.
    private var pageSizes: [Int?] = [1_000, 50, nil]
    private static let attempts = 5
    /// A server that says itself that it is too busy gets some minutes.
    private static let patientAttempts = 9
    /// How long to wait before the second attempt; before each further one it is twice as long.
    var firstPause = Duration.seconds(1)
    /// How long an answer may take, in seconds.
    var answerSeconds = 120
    /// The longest answer, in bytes, once it is unpacked: it is held in memory.
    var answerBytes = 16 << 20

    /// - Parameters:
    ///   - server: `https://old.example`, with a path where the API is below one.
    ///   - headers: `Name: value` each.
    ///   - token: for `X-ZUMO-AUTH`.
    /// - Throws: `usage` where one of them can't be sent.
    init(_ table: Identifier, at server: String, headers: [String], token: String?) throws(CommandFault) {
        let lowered = server.lowercased()
        guard lowered.hasPrefix("http://") || lowered.hasPrefix("https://"),
            server.utf8.allSatisfy({ (33...126).contains($0) && $0 != 34 && $0 != 92 }), !server.contains("?")
        else { throw .usage("--from takes an address such as https://old.example, not `\(server)`") }
        var base = Substring(server)
        while base.last == "/" { base.removeLast() }
        address = "\(base)/tables/\(table)"
        var all = ["ZUMO-API-VERSION: 2.0.0", "Accept: application/json"]
        if let token { all.append("X-ZUMO-AUTH: \(token)") }
        for header in all + headers {
            let name = String(header.prefix { $0 != ":" })
            guard HTTPFieldName(name) != nil, name.utf8.count < header.utf8.count,
                header.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
            else { throw .usage("--header takes 'NAME: VALUE' on one line, and a token is one line too") }
        }
        self.headers = all + headers
    }

    /// What is read at a time: rows with a stamp from one on, or of one stamp from an id on.
    enum Place {
        case stamps(from: Instant?)
        case ids(of: Instant, from: RowID?)

        fileprivate var options: [(String, String)] {
            switch self {
            case .stamps(let first):
                let order = [("$orderby", "updatedAt,id")]
                guard let first else { return order }
                return order + [("$filter", "updatedAt ge datetimeoffset'\(first.wireText)'")]
            case .ids(let stamp, let first):
                let next = Instant(milliseconds: stamp.milliseconds + 1)
                var filter = "updatedAt ge datetimeoffset'\(stamp.wireText)'"
                filter += " and updatedAt lt datetimeoffset'\(next.wireText)'"
                switch first {
                case .text(let text): filter += " and id ge '\(text.replacing("'", with: "''"))'"
                case .integer(let number): filter += " and id ge \(number)"
                case nil: break
                }
                return [("$orderby", "id"), ("$filter", filter)]
            }
        }
    }

    /// Reads the first rows from a place, tombstones too; tries again where that may help.
    mutating func rows(at place: Place, tell: (String) -> Void) async throws(CommandFault) -> [[JSONMember]] {
        var answer = Answer()
        while true {
            let size = pageSizes.first.flatMap(\.self).map { [("$top", String($0))] } ?? []
            let options = place.options + size + [("__includeDeleted", "true")]
            var query: [UInt8] = []
            for (index, option) in options.enumerated() {
                query.append(UInt8(ascii: index == 0 ? "?" : "&"))
                query.append(contentsOf: "\(option.0)=".utf8)
                PercentEncoding.encode(option.1, into: &query)
            }
            answer = try await ask(address + String(decoding: query, as: UTF8.self), tell)
            guard answer.status == 400 || answer.isTooLong, pageSizes.count > 1 else { break }
            pageSizes.removeFirst()
        }
        guard !answer.isTooLong else { throw .data("\(address) answers with more than \(answerBytes) bytes") }
        guard answer.status == 200 else { throw .data("\(address) answered \(answer.status): \(answer.words)") }
        switch try parsed(answer.body) {
        case .array(let items): return try rows(items)
        case .object(let members):
            if case .array(let items) = members.last(where: { $0.name == "results" })?.value { return try rows(items) }
        default: break
        }
        throw .data("\(address) answered no list of rows; is it the table API of an Azure-style server?")
    }

    private func parsed(_ body: [UInt8]) throws(CommandFault) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.parse(body, loneSurrogates: .replaced)
        } catch {
            throw .data("\(address) answered what is no JSON: \(error.reason.words) at byte \(error.offset)")
        }
    }

    private func rows(_ items: [JSONValue]) throws(CommandFault) -> [[JSONMember]] {
        var rows: [[JSONMember]] = []
        for item in items {
            guard case .object(let members) = item else { throw .data("\(address) answered a row that is no object") }
            rows.append(members)
        }
        return rows
    }

    private func ask(_ url: String, _ tell: (String) -> Void) async throws(CommandFault) -> Answer {
        var pause = firstPause
        for attempt in 1... {
            let answer = try await curl(url)
            let attempts = [429, 503].contains(answer.status) ? Self.patientAttempts : Self.attempts
            guard answer.mayPass, attempt < attempts else {
                if answer.status == 0, !answer.isTooLong {
                    throw .data("\(address) can't be read: \(answer.complaint)")
                }
                return answer
            }
            let reason = answer.status == 0 ? answer.complaint : "status \(answer.status)"
            tell("\(reason); trying again in \(pause.components.seconds) s")
            try? await Task.sleep(for: pause)
            pause *= 2
        }
        throw .data("\(address) can't be read")
    }

    /// What came of one request. The status is 0 where there was no answer.
    private struct Answer {
        var status = 0
        var body: [UInt8] = []
        var complaint = "no answer"
        var isTooLong = false

        /// Whether the same request may do better later.
        var mayPass: Bool { !isTooLong && (status == 0 || status == 429 || status >= 500) }

        /// What the server said about a failure.
        var words: String {
            if case .object(let members) = try? JSONReader.parse(body),
                case .string(let text) = members.first(where: { ["error", "message"].contains($0.name) })?.value
            {
                return text
            }
            return String(decoding: body.prefix(200), as: UTF8.self)
        }
    }

    /// Runs curl. What is secret goes by its standard input, since everybody can read the arguments of a process.
    private func curl(_ url: String) async throws(CommandFault) -> Answer {
        var lines = [
            "silent", "show-error", "compressed", "globoff", "max-time = \(answerSeconds)", "connect-timeout = 10",
            "proto = \"=http,https\"", "url = \(Self.quoted(url))", #"write-out = "\n%{http_code}""#,
        ]
        lines += headers.map { "header = \(Self.quoted($0))" }
        let input = Data(lines.joined(separator: "\n").utf8)
        let result: CurlResult?
        result = await withCheckedContinuation { [answerBytes] continuation in
            // Own thread: it waits for the process.
            NamedThread.start("zumod-curl") {
                continuation.resume(returning: Self.run(input, longestAnswer: answerBytes))
            }
        }
        guard let result else { throw .usage("the program curl, which reads from other servers, is not installed") }
        guard result.output.count <= answerBytes else { return Answer(isTooLong: true) }
        let complaint = String(decoding: result.errors, as: UTF8.self).split(separator: "\n").first.map(String.init)
        // An answer that was cut has a status too.
        guard result.code == 0 else { return Answer(complaint: complaint ?? "no answer") }
        let bytes = Array(result.output)
        let end = bytes.lastIndex(of: 10) ?? bytes.startIndex
        let status = Int(String(decoding: bytes[end...].dropFirst(), as: UTF8.self)) ?? 0
        return Answer(status: status, body: Array(bytes[..<end]))
    }

    private struct CurlResult {
        let output: Data
        let errors: Data
        let code: Int32
    }

    /// - Returns: more than the longest answer where it is longer; nil where there is no curl.
    private static func run(_ input: Data, longestAnswer: Int) -> CurlResult? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Without the user's own configuration, which may follow redirects with the secrets, or write rows to a file.
        process.arguments = ["curl", "--disable", "--config", "-"]
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        guard (try? process.run()) != nil else { return nil }
        // Less than a pipe holds, as are curl's complaints.
        try? stdin.fileHandleForWriting.write(contentsOf: input)
        try? stdin.fileHandleForWriting.close()
        var output = Data()
        // A small answer may unpack to a large one.
        while output.count <= longestAnswer {
            guard let piece = try? stdout.fileHandleForReading.read(upToCount: 1 << 20), !piece.isEmpty else { break }
            output.append(piece)
        }
        // A thread of Dispatch keeps SIGTERM off, and a program that it starts inherits that.
        if output.count > longestAnswer { kill(process.processIdentifier, SIGKILL) }
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let code = process.terminationStatus
        return code == 127 ? nil : CurlResult(output: output, errors: errors, code: code)
    }

    /// A text in the quotes of curl's configuration.
    private static func quoted(_ text: String) -> String {
        "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}

import Foundation
import HTTPModel
import WorkThreads

/// Sends requests to other servers with the program curl, which supports TLS, proxies and the machine's certificates.
public struct CurlClient: Sendable {
    /// The maximum time for an answer, in seconds.
    public var answerSeconds = 120
    /// The maximum size of an answer in bytes, once decompressed: it is held in memory.
    public var answerBytes = 16 << 20
    /// Whether only status and body are needed, so that answers may use gzip and HTTP/2; otherwise they are kept as
    /// received over HTTP/1.1, with their heads.
    private let isForReading: Bool

    /// - Parameter isForReading: whether only the status and body of an answer are needed.
    public init(isForReading: Bool) {
        self.isForReading = isForReading
    }

    /// The maximum size of a head in bytes.
    private static let headBytes = 1 << 20

    /// Sends a request and waits for the answer.
    public func send(_ request: CurlRequest) async throws(CurlFault) -> CurlResponse {
        let input = Data(lines(of: request).joined(separator: "\n").utf8)
        let result: Outcome?
        result = await withCheckedContinuation { [answerBytes] continuation in
            // A separate thread, as it waits for the process.
            NamedThread.start("zumod-curl") {
                continuation.resume(returning: Self.run(input, longestOutput: answerBytes + Self.headBytes))
            }
        }
        guard let result else { throw .notInstalled }
        guard result.output.count <= answerBytes + Self.headBytes else { throw .tooLong }
        let complaint = String(decoding: result.errors, as: UTF8.self).split(separator: "\n").first.map(String.init)
        // A truncated answer has a status too.
        guard result.code == 0 else { throw .noAnswer(complaint ?? "no answer") }
        let answer = Self.answer(in: Array(result.output), hasHead: !isForReading)
        guard answer.body.count <= answerBytes else { throw .tooLong }
        guard answer.status > 0 else { throw .noAnswer(complaint ?? "no answer") }
        return answer
    }

    private func lines(of request: CurlRequest) -> [String] {
        var lines = [
            "silent", "show-error", "globoff", "path-as-is", "max-time = \(answerSeconds)", "connect-timeout = 10",
            "proto = \"=http,https\"", "url = \(Self.quoted(request.url))", #"write-out = "\n%{http_code}""#,
        ]
        lines += isForReading ? ["compressed"] : ["include", "suppress-connect-headers", "http1.1"]
        if request.method == .head { lines.append("head") } else { lines.append("request = \(request.method.name)") }
        lines += request.fields.map { "header = \(Self.quoted("\($0.name): \($0.value)"))" }
        if let body = request.body {
            lines.append("data-raw = \(Self.quoted(body))")
            // Otherwise curl would declare a form.
            if !request.fields.contains(where: { $0.name.lowercased() == "content-type" }) {
                lines.append(#"header = "Content-Type:""#)
            }
        }
        return lines
    }

    /// Parses curl's output: heads, body, and the status that it wrote at the end.
    private static func answer(in output: [UInt8], hasHead: Bool) -> CurlResponse {
        let end = output.lastIndex(of: 10) ?? output.startIndex
        let status = Int(String(decoding: output[end...].dropFirst(), as: UTF8.self)) ?? 0
        var rest = output[..<end]
        var reason = ""
        var fields: [CurlField] = []
        // Interim answers, such as 100, have heads too.
        while hasHead, rest.starts(with: "HTTP/".utf8) {
            let (head, body) = split(rest)
            let lines = String(decoding: head, as: UTF8.self).split(whereSeparator: \.isNewline)
            let words = (lines.first ?? "").split(separator: " ", maxSplits: 2)
            reason = words.count > 2 ? String(words[2]) : ""
            fields = lines.dropFirst().compactMap { line in
                guard let colon = line.firstIndex(of: ":") else { return nil }
                let value = line[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
                return CurlField(String(line[..<colon]), String(value))
            }
            rest = body
            guard words.count > 1, words[1].hasPrefix("1") else { break }
        }
        return CurlResponse(status: status, reason: reason, fields: fields, body: Array(rest))
    }

    /// Returns the bytes before and after the first empty line.
    private static func split(_ bytes: ArraySlice<UInt8>) -> (head: ArraySlice<UInt8>, body: ArraySlice<UInt8>) {
        var lineStart = bytes.startIndex
        while let lineEnd = bytes[lineStart...].firstIndex(of: 10) {
            let line = bytes[lineStart..<lineEnd]
            if line.isEmpty || line.elementsEqual([13]) { return (bytes[..<lineStart], bytes[(lineEnd + 1)...]) }
            lineStart = lineEnd + 1
        }
        return (bytes, [])
    }

    private struct Outcome {
        let output: Data
        let errors: Data
        let code: Int32
    }

    /// Runs curl. Secrets are passed on its standard input, because anyone can read the arguments of a process.
    /// - Returns: more than `longestOutput` bytes if the output is longer; nil if curl isn't installed.
    private static func run(_ input: Data, longestOutput: Int) -> Outcome? {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        // Ignores the user's own configuration, which may follow redirects with the secrets, or write rows to a file.
        process.arguments = ["curl", "--disable", "--config", "-"]
        let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
        process.standardInput = stdin
        process.standardOutput = stdout
        process.standardError = stderr
        guard (try? process.run()) != nil else { return nil }
        // curl reads all of it first.
        try? stdin.fileHandleForWriting.write(contentsOf: input)
        try? stdin.fileHandleForWriting.close()
        var output = Data()
        // A small answer may decompress to a large one.
        while output.count <= longestOutput {
            guard let piece = try? stdout.fileHandleForReading.read(upToCount: 1 << 20), !piece.isEmpty else { break }
            output.append(piece)
        }
        // SIGTERM is blocked in Dispatch threads, and a child process inherits that.
        if output.count > longestOutput { kill(process.processIdentifier, SIGKILL) }
        let errors = stderr.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let code = process.terminationStatus
        return code == 127 ? nil : Outcome(output: output, errors: errors, code: code)
    }

    /// Quotes a text for curl's configuration.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for character in text.unicodeScalars {
            switch character {
            case "\\": quoted += "\\\\"
            case "\"": quoted += "\\\""
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            default: quoted.unicodeScalars.append(character)
            }
        }
        return quoted + "\""
    }
}

/// A golden case: exchanges on one connection, each a request and the answer expected, as text.
///
/// ```
/// # What the case shows, as a sentence.
/// # rule: v2-150, v2-151
/// config requireVersion: true
///
/// >>>
/// PATCH /tables/todo/k1
/// If-Match: "{version1}"
///
/// {"text":"coffee"}
/// <<<
/// 412 Precondition Failed
/// Content-Type: application/json; charset=utf-8
/// ETag: "{version2}"
///
/// {"id":"k1",…}
/// ```
///
/// The client adds Host, and Content-Length where a body has none. An answer is matched exactly: status line, every
/// field, body. Left out are the fields that every answer has (Content-Length, Date,
/// X-Content-Type-Options, X-Request-Id, x-zumo-server-version) and the Cache-Control of failures, which the runner checks by itself. `<<< 201` on one line expects that status and no more, for
/// steps that lead up to the case. Placeholders `{version…}`, `{date…}`, `{second…}`, `{uuid…}`, `{token…}` take their
/// value where they first match and stand for it afterwards, in requests too, there also as `{date1 encoded}` and
/// `{date1 ticks}`; `{host}` is the server's address.
public struct GoldenCase: Sendable {
    /// The file's name, without its folder and ending.
    public let name: String
    /// What the case shows.
    public let sentence: String
    /// The rules in `docs/protocol` that it shows.
    public let rules: [String]
    /// Lines for the configuration file.
    public let configuration: [String]
    /// The exchanges in order.
    public let exchanges: [GoldenExchange]

    /// Each request as it is written: line, fields, and a body behind an empty line.
    public var requestTexts: [String] {
        exchanges.map { exchange in
            let head = ([exchange.requestLine] + exchange.requestFields).joined(separator: "\n")
            return exchange.requestBody.isEmpty ? head : head + "\n\n" + exchange.requestBody
        }
    }

    /// What is wrong with a case file.
    public struct Malformed: Error {
        /// The words.
        public let reason: String
    }

    /// Parses a case file.
    public init(name: String, text: String) throws(Malformed) {
        self.name = name
        let blocks = text.split(separator: ">>>\n", omittingEmptySubsequences: false)
        var sentence: [Substring] = []
        var rules: [String] = []
        var configuration: [String] = []
        for line in blocks[0].split(separator: "\n") {
            if line.hasPrefix("# rule: ") {
                rules += line.dropFirst("# rule: ".count).split(separator: ", ").map(String.init)
            } else if line.hasPrefix("# ") {
                sentence.append(line.dropFirst(2))
            } else if line.hasPrefix("config ") {
                configuration.append(String(line.dropFirst("config ".count)))
            } else {
                throw Malformed(reason: "\(name): '\(line)' is neither a comment nor a config line")
            }
        }
        guard !sentence.isEmpty, blocks.count > 1 else {
            throw Malformed(reason: "\(name): no sentence or no exchange")
        }
        self.sentence = sentence.joined(separator: " ")
        self.rules = rules
        self.configuration = configuration
        var exchanges: [GoldenExchange] = []
        for block in blocks.dropFirst() { exchanges.append(try GoldenExchange(String(block), of: name)) }
        self.exchanges = exchanges
    }
}

/// One request of a case and its expected answer.
public struct GoldenExchange: Sendable {
    let requestLine: String
    let requestFields: [String]
    let requestBody: String
    let expectation: Expectation

    enum Expectation: Sendable {
        case status(String)
        case exact(status: String, fields: [String], body: String)
    }

    /// The request's first line.
    public var request: String { requestLine }

    /// The request's fields as they are written.
    public var fields: [String] { requestFields }

    /// The request's body as it is written.
    public var body: String { requestBody }

    /// The status of the expected answer.
    public var expectedCode: Int {
        switch expectation {
        case .status(let code), .exact(let code, _, _): Int(code.prefix(3)) ?? 0
        }
    }

    /// The media type of the expected answer, without its parameters; nil where none is told.
    public var expectedType: String? {
        guard case .exact(_, let fields, _) = expectation,
            let field = fields.first(where: { $0.lowercased().hasPrefix("content-type: ") })
        else { return nil }
        return String(field.dropFirst("content-type: ".count).prefix { $0 != ";" })
    }

    init(_ block: String, of name: String) throws(GoldenCase.Malformed) {
        guard let marker = block.range(of: "\n<<<") else {
            throw GoldenCase.Malformed(reason: "\(name): a request without <<<")
        }
        let (head, body) = Self.split(block[..<marker.lowerBound])
        guard let line = head.first else { throw GoldenCase.Malformed(reason: "\(name): a request without a line") }
        requestLine = line
        requestFields = Array(head.dropFirst())
        requestBody = body
        let answer = block[marker.upperBound...]
        if answer.first == " " {
            expectation = .status(answer.filter { $0 != " " && $0 != "\n" })
        } else {
            let (head, body) = Self.split(answer.dropFirst())
            guard let status = head.first else { throw GoldenCase.Malformed(reason: "\(name): an empty answer") }
            expectation = .exact(status: status, fields: Array(head.dropFirst()), body: body)
        }
    }

    private static func split(_ text: Substring) -> (head: [String], body: String) {
        var text = text
        while text.last == "\n" { text = text.dropLast() }
        guard let blank = text.range(of: "\n\n") else {
            return (text.split(separator: "\n").map(String.init), "")
        }
        let head = text[..<blank.lowerBound].split(separator: "\n").map(String.init)
        return (head, String(text[blank.upperBound...]))
    }

    /// The request's bytes, with every placeholder replaced.
    func request(_ bound: Placeholders, host: String) -> String {
        var fields = requestFields
        let names = fields.map { $0.prefix { $0 != ":" }.lowercased() }
        if !names.contains("host") { fields.insert("Host: \(host)", at: 0) }
        let body = bound.replaced(in: requestBody)
        if !body.isEmpty, !names.contains("content-length"), !names.contains("transfer-encoding") {
            fields.append("Content-Length: \(body.utf8.count)")
        }
        let head = ([requestLine + " HTTP/1.1"] + fields).map { bound.replaced(in: $0) }
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }
}

extension StringProtocol {
    /// The first occurrence of a text, without Foundation.
    func range(of wanted: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(wanted) { return start..<index(start, offsetBy: wanted.count) }
            start = index(after: start)
        }
        return nil
    }
}

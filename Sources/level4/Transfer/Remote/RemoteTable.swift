import CurlClient
import HTTPModel
import JSONText
import Operating
import Scalars
import Tables

/// A table of another server, read through its table API (v2).
struct RemoteTable: Sendable {
    /// The table's address without name and password, by which a copy is identified.
    let address: String
    private let server: RemoteAddress
    private let url: String
    private let fields: [CurlField]

    /// The page sizes to try, one after another; nil leaves the size to a server that allows none of the others.
    private var pageSizes: [Int?] = [1_000, 50, nil]
    private static let attempts = 5
    /// The number of attempts with a server that says it is busy, which gives it some minutes.
    private static let patientAttempts = 9
    /// The pause before the second attempt, which doubles before each further one.
    var firstPause = Duration.seconds(1)
    var client = CurlClient(isForReading: true)

    /// - Parameters:
    ///   - server: a URL such as `https://old.example`, with a path if the API is below one.
    ///   - headers: `Name: value` each.
    ///   - token: for `X-ZUMO-AUTH`.
    /// - Throws: `usage` if one of them can't be sent.
    init(_ table: Identifier, at server: String, headers: [String], token: String?) throws(CommandFault) {
        let server = try RemoteAddress(server)
        self.server = server
        address = "\(server.shown)/tables/\(table)"
        url = "\(server.sent)/tables/\(table)"
        var all = ["ZUMO-API-VERSION: 2.0.0", "Accept: application/json"]
        if let token { all.append("X-ZUMO-AUTH: \(token)") }
        var fields: [CurlField] = []
        for header in all + headers {
            let name = String(header.prefix { $0 != ":" })
            guard HTTPFieldName(name) != nil, name.utf8.count < header.utf8.count,
                header.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
            else { throw .usage("--header takes 'NAME: VALUE' on one line, and a token is one line too") }
            fields.append(CurlField(name, String(header.dropFirst(name.count + 1).drop { $0 == " " })))
        }
        self.fields = fields
    }

    /// Where a page starts: at a stamp, or within the rows of one stamp at an id.
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
                let next = stamp.next
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

    /// Reads the first rows from a place on, including tombstones; retries if that may help.
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
            answer = try await ask(url + String(decoding: query, as: UTF8.self), tell)
            guard answer.status == 400 || answer.isTooLong, pageSizes.count > 1 else { break }
            pageSizes.removeFirst()
        }
        guard !answer.isTooLong else { throw .data("\(address) answers with more than \(client.answerBytes) bytes") }
        guard answer.status == 200 else {
            throw .data("\(address) answered \(answer.status): \(server.hidingSecrets(in: answer.words))")
        }
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
            let answer = try await get(url)
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

    /// The result of a request, with status 0 if there was no answer.
    private struct Answer {
        var status = 0
        var body: [UInt8] = []
        var complaint = "no answer"
        var isTooLong = false

        /// Whether the same request may succeed later.
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

    private func get(_ url: String) async throws(CommandFault) -> Answer {
        do throws(CurlFault) {
            let answer = try await client.send(CurlRequest(.get, url, fields: fields))
            return Answer(status: answer.status, body: answer.body)
        } catch {
            switch error {
            case .notInstalled:
                throw .usage("the program curl, which reads from other servers, is not installed")
            case .noAnswer(let complaint): return Answer(complaint: server.hidingSecrets(in: complaint))
            case .tooLong: return Answer(isTooLong: true)
            }
        }
    }
}

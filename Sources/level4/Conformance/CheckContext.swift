public import CurlClient
import HTTPModel
import JSONText

/// What sends a request and brings its answer.
public protocol ConformanceTransport: Sendable {
    /// Sends a request and waits for the answer.
    func send(_ request: CurlRequest) async throws(CurlFault) -> CurlResponse
}

extension CurlClient: ConformanceTransport {}

/// One check's conversation with the server: what it asks and expects, and the rows that it leaves.
final class CheckContext {
    let target: ConformanceTarget
    let dialect: Dialect
    /// A word that is in the ids and texts of this check's rows, and in no others.
    let mark: String
    let memory: RunState
    private let transport: any ConformanceTransport
    private(set) var exchanges: [CheckExchange] = []
    /// What was expected so far, and came true.
    private(set) var demands: [String] = []
    /// The rows that this check made, by table.
    private(set) var made: [(table: String, id: String)] = []
    private var idCount = 0

    init(
        _ target: ConformanceTarget, _ dialect: Dialect, mark: String, memory: RunState,
        transport: any ConformanceTransport
    ) {
        self.target = target
        self.dialect = dialect
        self.mark = mark
        self.memory = memory
        self.transport = transport
    }

    var generation: WireGeneration { dialect.generation }

    /// An id that no row has.
    func newID() -> String {
        idCount += 1
        return "\(mark)-\(idCount)"
    }

    // MARK: Requests

    /// A request as this generation's clients make it.
    /// - Parameters:
    ///   - path: below the server's address, percent-encoded.
    ///   - asksForSystem: whether v1 is asked for the system columns, which the others always send.
    func request(
        _ method: HTTPMethod, _ path: String, _ query: [(String, String)] = [], fields: [CurlField] = [],
        body: String? = nil, asksForSystem: Bool = true, isUser: Bool = true
    ) -> CurlRequest {
        var all = query
        if generation == .v1, asksForSystem { all.append(("__systemProperties", "*")) }
        var text: [UInt8] = []
        for (index, (name, value)) in all.enumerated() {
            text.append(UInt8(ascii: index == 0 ? "?" : "&"))
            PercentEncoding.encode(name, keeping: "$", into: &text)
            text.append(UInt8(ascii: "="))
            PercentEncoding.encode(value, keeping: "'(),/$:", into: &text)
        }
        var sent = dialect.fields(target, isUser: isUser)
        if body != nil, !fields.contains(where: { $0.name == "Content-Type" }) {
            sent.append(CurlField("Content-Type", "application/json"))
        }
        // A field that a check sends itself takes the place of the usual one.
        sent.removeAll { usual in fields.contains { $0.name.lowercased() == usual.name.lowercased() } }
        return CurlRequest(
            method, target.address + path + String(decoding: text, as: UTF8.self), fields: sent + fields, body: body)
    }

    /// Sends a request; the check fails if no answer arrives.
    func send(_ request: CurlRequest) async throws(Verdict) -> CheckedResponse {
        do throws(CurlFault) {
            let answer = try await transport.send(request)
            return remember(request, answer)
        } catch {
            throw unanswered(request, error)
        }
    }

    /// Sends requests at the same time.
    func sendAtOnce(_ requests: [CurlRequest]) async throws(Verdict) -> [CheckedResponse] {
        let transport = transport
        let results = await withTaskGroup(of: (Int, Result<CurlResponse, CurlFault>).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    do throws(CurlFault) {
                        return (index, .success(try await transport.send(request)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            var results: [Int: Result<CurlResponse, CurlFault>] = [:]
            for await (index, result) in group { results[index] = result }
            return results
        }
        var answers: [CheckedResponse] = []
        for (index, request) in requests.enumerated() {
            switch results[index] {
            case .success(let answer): answers.append(remember(request, answer))
            case .failure(let fault): throw unanswered(request, fault)
            case nil: continue
            }
        }
        return answers
    }

    private func remember(_ request: CurlRequest, _ answer: CurlResponse) -> CheckedResponse {
        exchanges.append(CheckExchange(request, answer: answer))
        let answer = CheckedResponse(raw: answer, number: exchanges.count - 1, context: self)
        noteMadeRow(request, answer)
        return answer
    }

    private func unanswered(_ request: CurlRequest, _ fault: CurlFault) -> Verdict {
        let complaint =
            switch fault {
            case .notInstalled: "the program curl is not installed"
            case .noAnswer(let words): words
            case .tooLong: "an answer that is too long to be read"
            }
        exchanges.append(CheckExchange(request, complaint: complaint))
        return .failed(expected: "an answer", came: complaint, exchange: exchanges.count - 1)
    }

    /// Whatever an insert made has to go again.
    private func noteMadeRow(_ request: CurlRequest, _ answer: CheckedResponse) {
        guard request.method == .post, (200...299).contains(answer.status), let id = answer.object?.id else { return }
        let path = request.url.dropFirst(target.address.count).prefix { $0 != "?" }
        let parts = path.split(separator: "/")
        guard parts.count >= 2, parts[0].lowercased() == "tables" else { return }
        made.append((String(parts[1]), id))
    }

    /// Keeps the rows until the run's end, for later checks.
    func keepRows() {
        memory.rows += made
        made = []
    }

    // MARK: Expectations

    /// Notes what the rule requires; ends the check if it isn't so.
    func expect(
        _ isSo: Bool, _ demand: String, came: @autoclosure () -> String?, at exchange: Int? = nil
    ) throws(Verdict) {
        guard isSo else {
            throw .failed(expected: demand, came: came() ?? "none", exchange: exchange ?? exchanges.indices.last)
        }
        if demands.last != demand { demands.append(demand) }
    }

    /// The name of a column; skips the check if the table has none of that kind.
    func column(_ kind: ColumnKind) throws(Verdict) -> String {
        guard let name = target.columns[kind] else {
            throw .skipped("no column of the kind \(kind.rawValue) was named; --columns \(kind.rawValue)=NAME does")
        }
        return name
    }

    /// Replaces `{text}`, `{number}` and so on with the columns' names.
    func named(_ expression: String) throws(Verdict) -> String {
        var text = expression
        for kind in ColumnKind.allCases {
            guard text.contains("{\(kind.rawValue)}") else { continue }
            text = text.replacing("{\(kind.rawValue)}", with: try column(kind))
        }
        return text
    }
}

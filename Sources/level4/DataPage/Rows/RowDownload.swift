import HTTPModel
import JSONText
import Tables
import ZumoProtocol

/// All rows of a view of a table as a file, at the view's address with `.json` or `.csv` after the table's name.
struct RowDownload {
    enum Format: String { case json, csv }

    private static let pageSize = 250

    let table: String
    let format: Format
    private let query: [QueryMember]

    /// - Returns: nil for any other address.
    init?(_ target: RequestTarget) {
        guard target.segments.count == 3, target.segments[1] == "tables",
            let dot = target.segments[2].lastIndex(of: "."),
            let format = Format(rawValue: String(target.segments[2][dot...].dropFirst()))
        else { return nil }
        table = String(target.segments[2][..<dot])
        self.format = format
        query = target.query
    }

    /// Returns the file, which is produced page by page while it is sent.
    func answer(_ request: HTTPRequest, from parts: PageDependencies, to caller: RequestCaller) async -> RouteResponse {
        var reading = request
        reading.method = .get
        reading.body = []
        let rows = PageRows(rows: parts.rows, pageSize: Self.pageSize)
        let first = await rows.answer(reading, [table], query: firstQuery)
        guard first.response.status == .ok, let page = RowFilePage(first.response) else { return first }
        let fields = parts.tables().first { $0.table.name == Identifier(table) }?.table.fields.map(\.name) ?? []
        let pages = RowFile(
            first: page, format: format, columns: fields,
            next: { [reading, table] query in
                let answer = await rows.answer(reading, [table], query: query)
                guard answer.response.status == .ok, let page = RowFilePage(answer.response) else {
                    throw RowFile.Fault(detail: answer.detail ?? answer.response.reason ?? "no page of rows")
                }
                return page
            })
        var response = HTTPResponse(.ok, body: .stream(ResponseStream(pages)))
        switch format {
        case .json: response.fields.append("Content-Type", "application/json; charset=utf-8")
        case .csv: response.fields.append("Content-Type", "text/csv; charset=utf-8; header=present")
        }
        let name = (Identifier(table)?.text ?? "rows") + "." + format.rawValue
        response.fields.append("Content-Disposition", "attachment; filename=\"\(name)\"")
        var answer = RouteResponse(response, to: caller)
        answer.table = first.table
        answer.operation = first.operation
        return answer
    }

    private var firstQuery: [UInt8] {
        var text: [UInt8] = []
        func append(_ name: StaticString, _ value: String?) {
            guard let value, !value.isEmpty else { return }
            text += Array("\(text.isEmpty ? "" : "&")\(name)=".utf8)
            PercentEncoding.encode(value, into: &text)
        }
        append("$filter", member("filter"))
        append("$orderby", member("order"))
        if member("deleted") == "1" { append("__includeDeleted", "true") }
        return text
    }

    private func member(_ name: String) -> String? {
        query.last { $0.name == name }?.value
    }
}

/// A page of rows, and the query of the next one.
struct RowFilePage: Sendable {
    /// A JSON array.
    let rows: [UInt8]
    /// The query of the next page; nil after the last.
    let next: [UInt8]?

    init?(_ response: HTTPResponse) {
        guard let body = response.body.joined, body.first == UInt8(ascii: "["), body.last == UInt8(ascii: "]") else {
            return nil
        }
        rows = body
        // `https://host/tables/NAME?query; rel=next`, as the table API writes it.
        next = response.fields["Link"].flatMap { link in
            guard let question = link.firstIndex(of: "?"), let end = link[question...].firstIndex(of: ";") else {
                return nil
            }
            return Array(link[link.index(after: question)..<end].utf8)
        }
    }
}

import CurlClient
import HTTPModel
import JSONText

// The operations of the table API, in the words of the generation at hand.

extension CheckContext {
    /// The path of a table, or of a row in it.
    func path(_ table: String? = nil, _ id: String? = nil) -> String {
        var text = Array("/tables/\(table ?? target.table)".utf8)
        if let id {
            text.append(UInt8(ascii: "/"))
            PercentEncoding.encode(id, into: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A text of this check's own rows.
    func text(_ words: String) -> Cell { .text("\(mark) \(words)") }

    /// A row's JSON.
    func json(id: String? = nil, _ cells: [Cell], more: [JSONMember] = []) throws(Verdict) -> String {
        var members = id.map { [JSONMember("id", .string($0))] } ?? []
        for cell in cells { members.append(JSONMember(try column(cell.kind), cell.value)) }
        return JSONValue.object(members + more).json
    }

    /// Inserts a row, and answers whatever comes.
    func insert(
        id: String? = nil, _ cells: [Cell], into table: String? = nil, more: [JSONMember] = []
    ) async throws(Verdict) -> CheckedResponse {
        try await send(request(.post, path(table), body: try json(id: id, cells, more: more)))
    }

    /// Inserts a row with a unique text; if that fails, nothing can be checked.
    func made(_ cells: Cell...) async throws(Verdict) -> Row {
        let all = cells.contains { $0.kind == .text } ? cells : [text("first")] + cells
        return try made(await insert(id: newID(), all))
    }

    private func made(_ answer: CheckedResponse) throws(Verdict) -> Row {
        try answer.expect(answer.isSuccess, "a row that is made", came: "status \(answer.status) \(answer.reason)")
        return try answer.row()
    }

    /// A row in the table without soft delete.
    func madeHard() async throws(Verdict) -> Row {
        let answer = try await insert(id: newID(), [text("first")], into: target.hardTable)
        if answer.status == 404 {
            throw .skipped("the server has no table \(target.hardTable); --hard-table names one without soft delete")
        }
        return try made(answer)
    }

    func read(
        _ id: String?, _ query: [(String, String)] = [], fields: [CurlField] = [], from table: String? = nil
    ) async throws(Verdict) -> CheckedResponse {
        try await send(request(.get, path(table, id ?? ""), query, fields: fields))
    }

    /// Reads a row that has to be there.
    func row(_ id: String?) async throws(Verdict) -> Row {
        try await read(id).expect(status: 200, for: "the row").row()
    }

    /// Reads a row, which has to be as another.
    func expect(_ id: String?, is wanted: Row, _ demand: String) async throws(Verdict) {
        let found = try await row(id)
        try expect(found.says(wanted), demand, came: found.json)
    }

    /// An update as a request: v3 replaces the row, the others change what is named.
    func updating(
        _ id: String?, _ cells: [Cell], ifMatch: String? = nil, fields: [CurlField] = [], more: [JSONMember] = [],
        query: [(String, String)] = []
    ) throws(Verdict) -> CurlRequest {
        let fields = fields + (ifMatch.map { [CurlField("If-Match", $0)] } ?? [])
        return request(
            dialect.updateMethod, path(nil, id ?? ""), query, fields: fields,
            body: try json(id: id, cells, more: more))
    }

    func update(
        _ id: String?, _ cells: Cell..., ifMatch: String? = nil, fields: [CurlField] = [], more: [JSONMember] = [],
        query: [(String, String)] = []
    ) async throws(Verdict) -> CheckedResponse {
        try await send(updating(id, cells, ifMatch: ifMatch, fields: fields, more: more, query: query))
    }

    /// Updates a row, which has to work.
    func updated(_ row: Row, _ cells: Cell...) async throws(Verdict) -> Row {
        try await send(updating(row.id, cells)).expect(status: 200, for: "an update without a condition").row()
    }

    func delete(
        _ id: String?, ifMatch: String? = nil, fields: [CurlField] = [], from table: String? = nil
    ) async throws(Verdict) -> CheckedResponse {
        let fields = fields + (ifMatch.map { [CurlField("If-Match", $0)] } ?? [])
        return try await send(request(.delete, path(table, id ?? ""), fields: fields))
    }

    /// Deletes a row, which has to work.
    func deleted(_ row: Row, from table: String? = nil) async throws(Verdict) {
        let answer = try await delete(row.id, from: table)
        try answer.expect(answer.isSuccess, "a delete that is done", came: "status \(answer.status) \(answer.reason)")
    }

    /// Deletes a row of the table with soft delete, and looks whether it has one.
    /// - Returns: the row as it is now.
    func tombstone() async throws(Verdict) -> Row {
        let row = try await made()
        try await deleted(row)
        let listing = try await listed([dialect.includesDeleted])
        guard let tombstone = listing.rows.first(where: { $0.id == row.id }) else {
            throw .failed(
                expected: "the deleted row in a list with \(dialect.includesDeleted.0)=true; is there soft delete "
                    + "on \(target.table)? --table names one that has it",
                came: "\(listing.rows.count) rows without it", exchange: listing.answer.number)
        }
        return tombstone
    }

    /// Brings a deleted row back. v3 has two ways, and a server need know one of them.
    func undelete(_ row: Row, ifMatch: String? = nil) async throws(Verdict) -> CheckedResponse {
        let fields = ifMatch.map { [CurlField("If-Match", $0)] } ?? []
        guard generation == .v3 else {
            return try await send(request(.post, path(nil, row.id), fields: fields, body: ""))
        }
        let patch = try await send(request(.patch, path(nil, row.id), fields: fields, body: #"{"deleted":false}"#))
        guard patch.status == 405 else { return patch }
        return try await update(
            row.id, text("first"), ifMatch: ifMatch, more: [JSONMember("deleted", false)],
            query: [dialect.includesDeleted])
    }

    /// Lists rows of this check.
    /// - Parameter filter: an additional condition, with `{text}` and so on for columns.
    func listed(
        _ options: [(String, String)] = [], where filter: String? = nil, mark other: String? = nil
    ) async throws(Verdict) -> ListResponse {
        try await list(options, where: filter, mark: other).listing()
    }

    /// The same, whatever comes.
    func list(
        _ options: [(String, String)] = [], where filter: String? = nil, mark other: String? = nil,
        fields: [CurlField] = []
    ) async throws(Verdict) -> CheckedResponse {
        let mine = "startswith(\(try column(.text)),'\(other ?? mark)')"
        let whole = if let filter { "\(mine) and (\(try named(filter)))" } else { mine }
        return try await send(request(.get, path(), [("$filter", whole)] + options, fields: fields))
    }

    /// Expects rows in an order.
    func expect(_ listing: ListResponse, has ids: [String], as words: String) throws(Verdict) {
        let found = listing.rows.map { $0.id ?? "(none)" }
        try listing.answer.expect(
            found == ids, "\(words): \(ids.joined(separator: ", "))",
            came: found.isEmpty ? "no rows" : found.joined(separator: ", "))
    }
}

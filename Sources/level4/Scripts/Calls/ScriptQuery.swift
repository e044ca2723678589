import ByteText
import HTTPModel
import JSONText
import OData
import TableOperations
import Tables

/// A list's query as its script receives it, and the changes that the script makes to it.
struct ScriptQuery {
    private let filter: String?
    private let order: String?
    private let select: String?
    /// The remaining options.
    private let options: QueryOptions?

    /// Creates the query of a request; it is empty for a list that no client requested.
    init(_ request: CurrentRequest?) {
        let members = request?.target.query ?? []
        func text(_ name: String) -> String? { members.last { $0.name.isExactly(name) }?.value }
        (filter, order, select) = (text("$filter"), text("$orderby"), text("$select"))
        let language: QueryLanguage =
            switch request?.generation {
            case "v1"?: .services
            case "v3"?: .datasync
            default: .apps
            }
        // Scripts receive those three as they were sent.
        let rest = members.filter { !["$filter", "$orderby", "$select"].contains($0.name) }
        options = try? QueryOptions.parse(rest.map { ($0.name, $0.value) }, language: language)
    }

    /// Writes the query for the worker.
    func write(to json: inout JSONWriter) {
        json.raw("{")
        json.member("filter", text: filter)
        json.member("orderby", text: order)
        if let options {
            if options.skip > 0 { json.member("skip", number: Int64(options.skip)) }
            json.member("top", number: options.top.map { Int64($0) })
            json.member("count", flag: options.wantsCount)
            json.member("includeDeleted", flag: options.includeDeleted)
        }
        json.member("select", text: select)
        json.raw("}")
    }

    /// Returns the script's changes to the query.
    func change(to asked: AskedQuery?) throws(QueryError) -> ScriptedQuery {
        var change = ScriptedQuery()
        guard let asked else { return change }
        // Conditions that the script added are parsed separately: the client's own filter may be in another language,
        // and keeps its meaning.
        let isOwn = asked.own.isExactly(filter)
        change.dropsFilter = filter != nil && !isOwn
        let parts = (isOwn ? asked.added : asked.conditions).filter { !$0.isEmpty }
        // Together they must be within the limits of a single filter, and none may be blank.
        if parts.count > 1 || parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            _ = try QueryOptions.parse([("$filter", AskedQuery.joined(parts))])
        }
        for part in parts {
            guard let part = try QueryOptions.parse([("$filter", part)]).filter else { continue }
            change.condition = change.condition.map { .binary(.and, $0, part, at: 0) } ?? part
        }
        // An order appended to the client's own would only sort rows that are equal in that, and would keep devices
        // from paging by position.
        if let text = asked.order, !order.isExactly(text), !(order.map { text.beginsExactly("\($0),") } ?? false) {
            change.order = try QueryOptions.parse([("$orderby", text)]).order
        }
        if let skip = asked.skip, skip != Int64(options?.skip ?? 0) { change.skip = Int(clamping: max(0, skip)) }
        if let top = asked.top, top != options?.top.map({ Int64($0) }) {
            change.limit = Int(clamping: min(max(0, top), AskedQuery.maximumLimit))
            change.goesOnBehindLimit = asked.goesOn
        }
        if let text = asked.select, !select.isExactly(text) {
            change.select = text.isEmpty ? [] : try QueryOptions.parse([("$select", text)]).select ?? []
        }
        if let count = asked.wantsCount, count != options?.wantsCount { change.wantsCount = count }
        if let deleted = asked.includesDeleted, deleted != options?.includeDeleted { change.includesDeleted = deleted }
        return change
    }
}

extension AskedQuery {
    /// The maximum number of rows that a script may request at once.
    static let maximumLimit: Int64 = 10_000

    /// All conditions on rows, as separate filters.
    var conditions: [String] { ((own.map { [$0] } ?? []) + added).filter { !$0.isEmpty } }

    /// Returns one condition with each part in brackets. Each is parsed first, so that it can't close its bracket.
    func condition() throws(QueryError) -> String? {
        for part in conditions { _ = try QueryOptions.parse([("$filter", part)]) }
        return conditions.isEmpty ? nil : Self.joined(conditions)
    }

    fileprivate static func joined(_ parts: [String]) -> String {
        parts.map { "(\($0))" }.joined(separator: " and ")
    }
}

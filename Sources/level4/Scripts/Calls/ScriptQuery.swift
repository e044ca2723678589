import ByteText
import HTTPModel
import JSONText
import OData
import TableOperations
import Tables

/// A list's query as its script gets it, and what the script makes of it.
struct ScriptQuery {
    private let filter: String?
    private let order: String?
    private let select: String?
    /// What else it says.
    private let options: QueryOptions?

    /// The query of a request; that of a list which no client asked for is empty.
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
        // Scripts get those three as they were sent.
        let rest = members.filter { !["$filter", "$orderby", "$select"].contains($0.name) }
        options = try? QueryOptions.parse(rest.map { ($0.name, $0.value) }, language: language)
    }

    /// As the worker gets it.
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

    /// What the script has changed about it.
    func change(to asked: AskedQuery?) throws(QueryError) -> ScriptedQuery {
        var change = ScriptedQuery()
        guard let asked else { return change }
        // What the script added to the client's filter is parsed by itself: the client's own part may be in another
        // language, and keeps the meaning that it has for its client.
        let isOwn = asked.own.isExactly(filter)
        change.dropsFilter = filter != nil && !isOwn
        let parts = (isOwn ? asked.added : asked.conditions).filter { !$0.isEmpty }
        // Together they are within the limits of one, and a part of blanks is none.
        if parts.count > 1 || parts.contains(where: { $0.allSatisfy(\.isWhitespace) }) {
            _ = try QueryOptions.parse([("$filter", AskedQuery.joined(parts))])
        }
        for part in parts {
            guard let part = try QueryOptions.parse([("$filter", part)]).filter else { continue }
            change.condition = change.condition.map { .binary(.and, $0, part, at: 0) } ?? part
        }
        // What is put behind the client's own order would only sort rows that are alike by it, and take their places from
        // the walks of devices.
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
    /// The most rows that a script may ask for at once.
    static let maximumLimit: Int64 = 10_000

    /// All that it asks of rows, each a condition by itself.
    var conditions: [String] { ((own.map { [$0] } ?? []) + added).filter { !$0.isEmpty } }

    /// The same as one condition: each is in brackets, which it must not be able to end, to add an `or`.
    func condition() throws(QueryError) -> String? {
        for part in conditions { _ = try QueryOptions.parse([("$filter", part)]) }
        return conditions.isEmpty ? nil : Self.joined(conditions)
    }

    fileprivate static func joined(_ parts: [String]) -> String {
        parts.map { "(\($0))" }.joined(separator: " and ")
    }
}

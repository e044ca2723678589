import ByteText
import HTTPModel
import JSONText
import OData
import TableOperations
import Tables

/// A list's query as its script gets it, and what the script makes of it.
struct ScriptQuery {
    private let members: [QueryMember]
    private let options: QueryOptions?

    /// The query of a request; that of a list which no client asked for is empty.
    init(_ request: CurrentRequest?) {
        members = request?.target.query ?? []
        let language: QueryLanguage =
            switch request?.generation {
            case "v1"?: .services
            case "v3"?: .datasync
            default: .apps
            }
        options = try? QueryOptions.parse(members.map { ($0.name, $0.value) }, language: language)
    }

    private func text(_ name: String) -> String? { members.last { $0.name.isExactly(name) }?.value }

    /// As the worker gets it.
    var json: JSONValue {
        func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        let skip = options.map { $0.skip > 0 ? JSONValue.integer(Int64($0.skip)) : .null } ?? .null
        return [
            "filter": optional(text("$filter")), "orderby": optional(text("$orderby")), "skip": skip,
            "top": options?.top.map { .integer(Int64($0)) } ?? .null, "select": optional(text("$select")),
            "count": .boolean(options?.wantsCount ?? false),
            "includeDeleted": .boolean(options?.includeDeleted ?? false),
        ]
    }

    /// What the script has changed about it.
    func change(to value: JSONValue?) throws(QueryError) -> ScriptedQuery {
        var change = ScriptedQuery()
        guard let value, case .object = value else { return change }
        try readFilter(value, into: &change)
        // What is put behind the client's own order would only sort rows that are alike by it, and take their places from
        // the walks of devices.
        let own = text("$orderby")
        if let order = value["orderby"]?.textValue, !own.isExactly(order),
            !(own.map { order.beginsExactly("\($0),") } ?? false)
        {
            change.order = try QueryOptions.parse([("$orderby", order)]).order
        }
        if let skip = value["skip"]?.integerValue, skip != Int64(options?.skip ?? 0) {
            change.skip = Int(clamping: max(0, skip))
        }
        if let top = value["top"]?.integerValue, top != options?.top.map({ Int64($0) }) {
            change.limit = Int(clamping: min(max(0, top), Self.maximumLimit))
            change.goesOnBehindLimit = value["goesOn"]?.booleanValue ?? false
        }
        if let select = value["select"]?.textValue, !text("$select").isExactly(select) {
            change.select = select.isEmpty ? [] : try QueryOptions.parse([("$select", select)]).select ?? []
        }
        if let count = value["count"]?.booleanValue, count != options?.wantsCount { change.wantsCount = count }
        if let deleted = value["includeDeleted"]?.booleanValue, deleted != options?.includeDeleted {
            change.includesDeleted = deleted
        }
        return change
    }

    /// The most rows that a script may ask for at once.
    static let maximumLimit: Int64 = 10_000

    /// What the script added to the client's filter is parsed by itself: the client's own part may be in another language,
    /// and keeps the meaning that it has for its client.
    private func readFilter(_ query: JSONValue, into change: inout ScriptedQuery) throws(QueryError) {
        let base = text("$filter")
        let own = query["own"]?.textValue
        change.dropsFilter = base != nil && !own.isExactly(base)
        let others = own.flatMap { own in own.isEmpty || own.isExactly(base ?? "") ? nil : own }
        let parts = (others.map { [$0] } ?? []) + Self.added(query)
        guard let condition = try Self.joined(parts) else { return }
        change.condition = try QueryOptions.parse([("$filter", condition)]).filter
    }

    private static func added(_ query: JSONValue) -> [String] {
        query["added"]?.elements?.compactMap(\.textValue) ?? []
    }

    /// All that a query of a script asks of rows, as one condition.
    static func condition(of query: JSONValue) throws(QueryError) -> String? {
        try joined([query["own"]?.textValue ?? ""] + added(query))
    }

    /// Conditions as one. Each is one by itself, so that none can end the brackets that it is put into and add an `or`.
    private static func joined(_ parts: [String]) throws(QueryError) -> String? {
        let parts = parts.filter { !$0.isEmpty }
        for part in parts { _ = try QueryOptions.parse([("$filter", part)]) }
        return parts.isEmpty ? nil : parts.map { "(\($0))" }.joined(separator: " and ")
    }
}

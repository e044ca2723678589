public import Access
public import TableOperations
public import Tables

/// What a program adds to the server: its own APIs, and hooks around table operations.
///
/// ```swift
/// var extensions = Extensions()
/// extensions.api("hello") { api in
///     api.get { request in .json(["message": "Hello, \(request.parameter("name") ?? "world")"]) }
/// }
/// extensions.table("TodoItem") { table in
///     table.beforeInsert { change in change.values["owner"] = .text(change.caller.user?.id ?? "nobody") }
/// }
/// ```
public struct Extensions: Sendable {
    /// The APIs, in the order in which they were added.
    public private(set) var apis: [APIDefinition] = []
    /// The hooks of each table.
    public private(set) var hooks: [Identifier: TableHooks] = [:]
    /// Mistakes in what was added, described for the program's author.
    public private(set) var faults: [String] = []

    /// Creates an empty set of extensions.
    public init() {}

    /// Adds an API at `/api/NAME` and below.
    /// - Parameters:
    ///   - name: the name, matched in any case.
    ///   - access: the access level of verbs that have none of their own.
    public mutating func api(
        _ name: String, access: AccessLevel = .anonymous, _ define: (inout APIDefinition) -> Void
    ) {
        var definition = APIDefinition(name, access: access)
        define(&definition)
        add(definition)
    }

    /// Adds an API that was defined elsewhere.
    public mutating func add(_ api: APIDefinition) {
        if !APIDefinition.canBeNamed(api.name) {
            faults.append("an API can't be named '\(api.name)': letters, digits, - _ and ., the first a letter or _")
        } else if apis.contains(where: { $0.name.lowercased() == api.name.lowercased() }) {
            faults.append("there are two APIs named '\(api.name)'; names match in any case")
        } else {
            apis.append(api)
        }
    }

    /// Adds hooks to a table, after those it already has.
    public mutating func table(_ name: String, _ define: (inout TableHooks) -> Void) {
        guard let identifier = Identifier(name) else {
            faults.append("no table can be named '\(name)', so it can't have hooks")
            return
        }
        define(&hooks[identifier, default: TableHooks()])
    }
}

import HTTPModel
import Tables

// What a v3 request says besides its body and its query options.
extension TableRequest {
    /// The members of `X-ZUMO-Options`, in lower case.
    var zumoOptions: [String] {
        http.fields.values("X-ZUMO-Options").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
    }

    /// Whether tombstones are requested: by `__includedeleted=true`, or by `X-ZUMO-Options: include:deleted` as on
    /// Microsoft's server, both in any case.
    var includesDeleted: Bool {
        target.query.contains { $0.name.lowercased() == "__includedeleted" && $0.value.lowercased() == "true" }
            || zumoOptions.contains("include:deleted")
    }

    /// Whether the column is part of the table's definition, so that v3 clients have a member of its type.
    func isDeclared(_ column: Column) -> Bool {
        settings.declaredColumns[table.name]?.contains(column.name) ?? !table.rules.dynamicSchema
    }
}

import HTTPModel
import OData
import Tables

// What v1 makes of the parts of a request.
extension TableRequest {
    /// What `If-Match` demands; nothing in a table that numbers its rows, which have no versions in v1.
    func servicesIfMatch() throws(RequestError) -> Precondition? {
        table.rules.autoIncrement ? nil : try ifMatch()
    }

    /// The id that the path names.
    func servicesID(_ text: String) throws(RequestError) -> RowID {
        guard let id = RowID(text, in: table) else { throw .services(.idNotInteger) }
        return id
    }

    /// The columns that the answer to a write shows. Of the options nothing but their names counts there.
    func servicesColumns() throws(RequestError) -> SystemProperties {
        if target.query.isEmpty { return [] }
        _ = try Options.parse(target.query.map { QueryMember(name: $0.name, value: "") }, language: .services)
        return try SystemProperties.requested(of: table, in: target.query)
    }
}

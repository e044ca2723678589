import HTTPModel
import OData
import Tables

/// The query options of a request, parsed and matched with a table's columns.
enum Options {
    static func parse(
        _ members: [QueryMember], dialect: QueryDialect = .v2
    ) throws(RequestError) -> QueryOptions {
        do throws(QueryError) {
            return try QueryOptions.parse(members.map { ($0.name, $0.value) }, dialect: dialect)
        } catch {
            throw .table(.query(error))
        }
    }

    /// The columns that `$select` names.
    /// - Returns: nil for all columns; each column once, spelled as it is defined.
    static func selection(_ names: [SelectedName]?, of table: Table) throws(RequestError) -> [Field]? {
        guard let names else { return nil }
        do throws(QueryError) {
            return try table.fields(for: names)
        } catch {
            throw .table(.query(error))
        }
    }
}

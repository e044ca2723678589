import HTTPModel
import OData
import Tables

/// The query options of a request, parsed and matched against a table's columns.
enum Options {
    static func parse(_ members: [QueryMember], language: QueryLanguage = .apps) throws(RequestError) -> QueryOptions {
        do throws(QueryError) {
            return try QueryOptions.parse(members.map { ($0.name, $0.value) }, language: language)
        } catch {
            throw .table(.query(error))
        }
    }
}

import Access
import HTTPModel
import JSONText
import OData
import TableOperations
import Tables
public import ZumoProtocol

extension TableRouter {
    /// The most frequent values of a column, for the data page: `{"values":[{"value":…,"count":…}],"isWhole":…}`.
    /// - Parameters:
    ///   - name: the name of the table, in any case.
    ///   - filter: the text of `$filter`; empty for all rows.
    public func frequentValues(
        of column: String, in name: String, under filter: String, includingDeleted: Bool
    ) async -> RouteResponse {
        let generation = AppsTables()
        do throws(RequestError) {
            guard let table = operations.table(named: name) else { throw .unknownTable(name) }
            guard case .read(let admitted) = try operations.admission(of: .admin(nil), to: .read, table) else {
                throw .unauthorized
            }
            let options = try Options.parse(filter.isEmpty ? [] : [QueryMember(name: "$filter", value: filter)])
            let found: (entries: [FrequentValues.Entry], isWhole: Bool)
            do throws(OperationError) {
                found = try await operations.frequentValues(
                    of: column, under: options.filter, includingDeleted: includingDeleted,
                    textComparison: settings.textComparison, asker: "the data page", in: admitted)
            } catch {
                throw .operation(error)
            }
            return RouteResponse(Self.response(found.entries, isWhole: found.isWhole))
        } catch {
            return RouteResponse(generation.failure(error), in: .v2)
        }
    }

    private static func response(_ entries: [FrequentValues.Entry], isWhole: Bool) -> HTTPResponse {
        var json = JSONWriter(capacity: 1_024)
        json.raw("{\"values\":[")
        for (index, entry) in entries.enumerated() {
            if index > 0 { json.raw(",") }
            // A record with one member is the simplest way to a value's wire form.
            Record([Property("value", entry.value), Property("count", .integer(Int64(entry.count)))]).append(to: &json)
        }
        json.raw("],\"isWhole\":")
        json.boolean(isWhole)
        json.raw("}")
        return .json(json.bytes)
    }
}

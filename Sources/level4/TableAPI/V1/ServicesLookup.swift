import HTTPModel
import OData
import TableOperations
import Tables

/// `GET /tables/NAME/ID` of a v1 client: one row, or 304 if the client has it already.
enum ServicesLookup {
    static func answer(_ request: TableRequest, in admitted: AdmittedTable<Reading>, id name: String)
        async throws(RequestError) -> OperationAnswer<HTTPResponse>
    {
        let options = try options(request.target.query)
        var columns = try ServicesColumns(of: request.table, select: options.select, request.target.query)
        let id = try request.servicesID(name)
        let known = request.table.rules.autoIncrement ? nil : EntityTags(request.http.fields.values("If-None-Match"))
        if known != nil { columns.add(.version) }
        return try await request.find(
            id, in: admitted, select: columns.names,
            includeDeleted: options.includeDeleted && !request.table.rules.autoIncrement,
            into: ServicesRowJSON.single(showing: columns.shown, adding: CallerIdentities.member(for: request))
        ).map { row throws(RequestError) in
            guard let row else { throw .services(.rowMissing(id: name)) }
            if let known, let version = row.version, Self.has(known, version) {
                return RowResponse.make(.notModified, [], version: version)
            }
            return ServicesResponse.row(.ok, row, sentVersion: false)
        }
    }

    private static func has(_ tags: EntityTags, _ version: Version) -> Bool {
        switch tags {
        case .any: true
        case .strong(let tags): tags.contains { Version(wireText: $0) == version }
        }
    }

    /// The options that can be used with an id. A filter means nothing there.
    private static func options(_ members: [QueryMember]) throws(RequestError) -> QueryOptions {
        for member in members where ["$orderby", "$inlinecount", "$skip", "$top"].contains(member.name) {
            throw .services(.listOption(member.name))
        }
        return try Options.parse(members.filter { $0.name != "$filter" }, language: .services)
    }
}

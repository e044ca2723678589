import JSONText
import OData
import TableOperations
import Tables
import ZumoProtocol

extension DescribedCall {
    var parameters: [DescribedParameter] {
        var parameters = [generation.mark]
        if hasID { parameters.append(DescribedParameter("id", in: .path, "The row's id.", schema: rows.pathID)) }
        if !behaviour.echoesParameters {
            parameters += options.map(option)
            if generation == .v1 { parameters.append(Self.systemProperties) }
            parameters += conditions
        }
        if generation == .v3 { parameters.append(Self.zumoOptions) }
        if operation != .read { parameters += ofWrites }
        return parameters
    }

    /// The options that mean something here.
    private var options: [QueryOption] {
        let all = QueryOption.all(in: dialect)
        switch (operation, hasID) {
        case (.read, false): return all
        case (.read, true): return all.filter { $0 == .includeDeleted || $0 == .select && generation != .v3 }
        case (.update, _) where generation == .v3: return all.filter { $0 == .includeDeleted }
        default: return []
        }
    }

    private var dialect: QueryDialect {
        switch generation {
        case .v1: .v1
        case .v2: .v2
        case .v3: .v3
        }
    }

    private func option(_ option: QueryOption) -> DescribedParameter {
        let (schema, meaning): (JSONValue, String) =
            switch option {
            case .filter: (["type": "string"], "A condition: complete eq false and text ne 'tea'.")
            case .orderBy: (["type": "string"], "Columns, each with asc or desc behind it: text desc,createdAt.")
            case .select: (["type": "string"], "The columns to answer: id,text.")
            case .top: (topSchema, "The most rows to answer.")
            case .skip: (["type": "integer", "minimum": 0], "How many rows to pass over.")
            case .skipToken: (["type": "string"], "What the link to this page says.")
            case .inlineCount: (["type": "string", "enum": ["allpages", "none"]], "Whether to count all that match.")
            case .count: (["type": "boolean"], "Whether to count all that match.")
            case .includeDeleted: (["type": "boolean"], "Whether rows that are deleted are shown too.")
            case .expand: (["type": "string"], "Not supported.")
            }
        var parameter = DescribedParameter(option.rawValue, in: .query, meaning, schema: schema)
        parameter.example = Self.examples[option]
        return parameter
    }

    private static let examples: [QueryOption: String] = [.filter: "id ne null", .orderBy: "id desc", .select: "id"]

    private var topSchema: JSONValue {
        let limit = generation.maxTop(of: table)
        return limit > 0
            ? ["type": "integer", "minimum": 0, "maximum": .integer(Int64(limit))] : ["type": "integer", "minimum": 0]
    }

    private static let systemProperties = DescribedParameter(
        "__systemProperties", in: .query,
        "The server's columns to answer: __version,__updatedAt, or * for all; none without it.")

    /// The conditional fields.
    private var conditions: [DescribedParameter] {
        guard isOnRow, hasVersions else { return [] }
        let ifMatch = DescribedParameter("If-Match", in: .header, "The version that the row has to have, in quotes.")
        let ifNoneMatch = DescribedParameter(
            "If-None-Match", in: .header, "The version that the client has, in quotes.")
        switch generation {
        case .v1 where operation == .read: return [ifNoneMatch]
        case .v1, .v2: return operation == .read ? [] : [ifMatch]
        case .v3:
            return [
                ifMatch, ifNoneMatch,
                DescribedParameter("If-Unmodified-Since", in: .header, "When the row may have changed at the latest."),
                DescribedParameter("If-Modified-Since", in: .header, "When the client got the row."),
            ]
        }
    }

    private static let zumoOptions = DescribedParameter(
        "X-ZUMO-Options", in: .header, "include:deleted, or nextLink=path, or both with a comma between.")

    private var ofWrites: [DescribedParameter] {
        var parameters: [DescribedParameter] = []
        if behaviour.takesConflictPolicy {
            parameters.append(
                DescribedParameter("conflictPolicy", in: .query, "Who wins a conflict: clientWins or serverWins."))
        }
        if settings.repeatWindow > .zero {
            parameters.append(
                DescribedParameter("Idempotency-Key", in: .header, "Names the write, which is then done only once."))
        }
        return parameters
    }
}

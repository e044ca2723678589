import JSONText
import OData
import RouteDescription
import TableOperations
import Tables
import ZumoProtocol

extension DescribedCall {
    var parameters: [DescribedParameter] {
        var parameters = [generation.generation.mark]
        if hasID { parameters.append(DescribedParameter("id", in: .path, "The row's id.", schema: rows.pathID)) }
        if !behaviour.echoesParameters {
            parameters += options.map(option)
            if described.hasServicesColumns { parameters.append(Self.systemProperties) }
            parameters += conditions
        }
        if described.takesZumoOptions { parameters.append(Self.zumoOptions) }
        if operation != .read { parameters += ofWrites }
        return parameters
    }

    /// The options that apply to this call.
    private var options: [QueryOption] {
        let all = QueryOption.all(in: described.language)
        switch (operation, hasID) {
        case (.read, false): return all
        case (.read, true): return all.filter(described.findOptions.contains)
        case (.update, _): return all.filter(described.updateOptions.contains)
        default: return []
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
        switch described.conditions {
        case .services: return operation == .read ? [ifNoneMatch] : [ifMatch]
        case .apps: return operation == .read ? [] : [ifMatch]
        case .datasync:
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

import CurlClient
import HTTPModel
import JSONText

/// What the generations say in different words.
struct Dialect {
    let generation: WireGeneration

    private var prefix: String { generation == .v1 ? "__" : "" }
    var version: String { prefix + "version" }
    var createdAt: String { prefix + "createdAt" }
    var updatedAt: String { prefix + "updatedAt" }
    var deleted: String { prefix + "deleted" }

    /// The system columns that every row has.
    var systemColumns: [String] {
        generation == .v3 ? [updatedAt, version, deleted] : [createdAt, updatedAt, version]
    }

    var includesDeleted: (String, String) { (generation == .v3 ? "__includedeleted" : "__includeDeleted", "true") }

    /// The option that requests the count of rows.
    var counts: (String, String) { generation == .v3 ? ("$count", "true") : ("$inlinecount", "allpages") }

    /// The verb of updates: v3 replaces, the others change what is named.
    var updateMethod: HTTPMethod { generation == .v3 ? .put : .patch }

    /// What a row answers that was deleted softly.
    var gone: Int { generation == .v3 ? 410 : 404 }

    /// The fields that every request of a client of this generation has.
    func fields(_ target: ConformanceTarget, isUser: Bool) -> [CurlField] {
        var fields = [CurlField("Accept", "application/json")]
        switch generation {
        // A server of more than one generation knows the first by this field, also where it asks for no key.
        case .v1: fields.append(CurlField("X-ZUMO-APPLICATION", target.key ?? "conformance"))
        case .v2: fields.append(CurlField("ZUMO-API-VERSION", "2.0.0"))
        case .v3: fields.append(CurlField("ZUMO-API-VERSION", "3.0.0"))
        }
        if generation != .v1, let key = target.key { fields.append(CurlField("X-ZUMO-APPLICATION", key)) }
        guard isUser else { return fields }
        if let master = target.masterKey { fields.append(CurlField("X-ZUMO-MASTER", master)) }
        if let token = target.userToken { fields.append(authorization(token)) }
        return fields
    }

    func authorization(_ token: String) -> CurlField {
        generation == .v3 ? CurlField("Authorization", "Bearer \(token)") : CurlField("X-ZUMO-AUTH", token)
    }

    /// A point in time as a filter has it.
    func literal(_ stamp: String) -> String {
        generation == .v3 ? "cast(\(stamp),Edm.DateTimeOffset)" : "datetimeoffset'\(stamp)'"
    }

    /// The condition that a text holds another.
    func contains(_ column: String, _ needle: String) -> String {
        generation == .v3 ? "contains(\(column),'\(needle)')" : "substringof('\(needle)',\(column))"
    }
}

/// A list as it was answered.
struct ListResponse {
    let rows: [Row]
    /// The value of the count; nil if there is none.
    let count: JSONValue?
    /// v3's `nextLink`; nil if the answer has no such member.
    let nextLink: JSONValue?
    let answer: CheckedResponse

    func expect(_ isSo: Bool, _ demand: String, came: @autoclosure () -> String?) throws(Verdict) {
        try answer.expect(isSo, demand, came: came())
    }
}

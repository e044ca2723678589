import Access
package import CustomAPI

/// An API that the configuration switches on.
package struct ConfiguredAPI: Sendable {
    /// The name below `/api`.
    package let name: String
    /// What it does.
    let kind: BuiltInAPI
    /// What a caller needs for a verb that has no level of its own.
    var access: AccessLevel
    var accessPerVerb: [APIVerb: AccessLevel]

    /// The API with its handlers.
    package func definition(_ context: BuiltInAPI.Context) -> APIDefinition {
        var api = APIDefinition(name, access: access)
        kind.define(&api, context)
        for (verb, level) in accessPerVerb { api.accessPerVerb[verb] = level }
        return api
    }
}

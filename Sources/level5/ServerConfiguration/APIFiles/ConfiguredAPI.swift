import Access
package import CustomAPI

/// An API that the configuration enables.
package struct ConfiguredAPI: Sendable {
    /// The name below `/api`.
    package let name: String
    /// The built-in API that it stands for.
    let kind: BuiltInAPI
    /// The access level of verbs that have none of their own.
    var access: AccessLevel
    var accessPerVerb: [APIVerb: AccessLevel]

    /// Returns the API with its handlers.
    package func definition(_ context: BuiltInAPI.Context) -> APIDefinition {
        var api = APIDefinition(name, access: access)
        kind.define(&api, context)
        for (verb, level) in accessPerVerb { api.accessPerVerb[verb] = level }
        return api
    }
}

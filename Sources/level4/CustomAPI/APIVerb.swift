public import HTTPModel

/// A verb of an API. The raw values are the words in API files.
public enum APIVerb: String, Sendable, CaseIterable {
    case get, post, put, patch, delete

    /// The verb of a method. HEAD counts as GET; its response is sent without the body.
    /// - Returns: nil for a method that APIs don't support.
    public init?(_ method: HTTPMethod) {
        switch method {
        case .get, .head: self = .get
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        case .options, .other: return nil
        }
    }

    /// The methods that belong to the verb, as in an Allow field.
    var methods: String { self == .get ? "GET,HEAD" : rawValue.uppercased() }
}

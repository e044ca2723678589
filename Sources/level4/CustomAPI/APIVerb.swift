public import HTTPModel

/// What can be done with an API. The raw values are the words of API files.
public enum APIVerb: String, Sendable, CaseIterable {
    case get, post, put, patch, delete

    /// The verb of a method. HEAD is GET, whose response is sent without its body.
    /// - Returns: nil for a method that no API has.
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

    /// The methods that stand for the verb, as in an Allow field.
    var methods: String { self == .get ? "GET,HEAD" : rawValue.uppercased() }
}

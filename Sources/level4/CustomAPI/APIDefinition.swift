public import Access
import ByteText
import Tables

/// One API: its handler for each verb, and what it requires of callers.
public struct APIDefinition: Sendable {
    /// Answers a request. It runs on a thread reserved for handlers and hooks and may block it; up to
    /// `HandlerThreads.maximumCount` handlers can do so before others have to wait.
    ///
    /// If it throws a `Refusal`, the response has its status and text; any other error becomes a 500.
    public typealias Handler = @concurrent @Sendable (APIRequest) async throws -> APIResponse

    /// The name below `/api`, which clients may write in any case.
    public let name: String
    /// The access level of verbs that have none of their own.
    public var access: AccessLevel
    /// The access levels of single verbs, which take precedence over the API's.
    public var accessPerVerb: [APIVerb: AccessLevel] = [:]
    /// Whether a verb without a handler is answered as an unknown path, as an application of Express would.
    public var hidesOtherVerbs = false
    private var handlers: [APIVerb: Handler] = [:]

    /// Creates an API without handlers.
    public init(_ name: String, access: AccessLevel = .anonymous) {
        self.name = name
        self.access = access
    }

    /// Sets the handler of GET, and of HEAD, whose response is sent without its body.
    public mutating func get(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.get, access, handler) }

    /// Sets the handler of POST.
    public mutating func post(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.post, access, handler) }

    /// Sets the handler of PUT.
    public mutating func put(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.put, access, handler) }

    /// Sets the handler of PATCH.
    public mutating func patch(access: AccessLevel? = nil, _ handler: @escaping Handler) {
        add(.patch, access, handler)
    }

    /// Sets the handler of DELETE.
    public mutating func delete(access: AccessLevel? = nil, _ handler: @escaping Handler) {
        add(.delete, access, handler)
    }

    private mutating func add(_ verb: APIVerb, _ level: AccessLevel?, _ handler: @escaping Handler) {
        handlers[verb] = handler
        if let level { accessPerVerb[verb] = level }
    }

    /// Returns the handler of a verb; nil if there is none.
    func handler(of verb: APIVerb) -> Handler? { handlers[verb] }

    /// Returns the access level that applies to a verb.
    func level(of verb: APIVerb) -> AccessLevel { accessPerVerb[verb] ?? access }

    /// The methods that are answered, as in an Allow field, without disabled ones.
    var allowedMethods: String {
        APIVerb.allCases.filter { handlers[$0] != nil && level(of: $0) != .disabled }.map(\.methods)
            .joined(separator: ",")
    }

    /// The maximum length of a name, in characters.
    public static let maximumNameLength = 128

    /// Whether an API can be named so: letters, digits, `-`, `_` and `.`, at most 128, starting with a letter or `_`.
    public static func canBeNamed(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_", name.utf8.count <= maximumNameLength else {
            return false
        }
        return name.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }
}

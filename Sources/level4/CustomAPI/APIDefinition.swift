public import Access
import ByteText
import Tables

/// One API: what it does for each verb, and what it asks of its callers.
public struct APIDefinition: Sendable {
    /// Answers a request. It runs on threads reserved for handlers and hooks and may block its thread; up to
    /// `HandlerThreads.maximumCount` can do so before others have to wait.
    ///
    /// If it throws a `Refusal`, the response has its status and text; any other error is a 500.
    public typealias Handler = @concurrent @Sendable (APIRequest) async throws -> APIResponse

    /// The name below `/api`, which clients may spell in any case.
    public let name: String
    /// What a caller needs for a verb that has no level of its own.
    public var access: AccessLevel
    /// The levels of single verbs; they win over the one of the API.
    public var accessPerVerb: [APIVerb: AccessLevel] = [:]
    /// Whether a verb that nobody answers is a path with nothing at it, as it is to an application of Express.
    public var hidesOtherVerbs = false
    private var handlers: [APIVerb: Handler] = [:]

    /// Makes an API that does nothing yet.
    public init(_ name: String, access: AccessLevel = .anonymous) {
        self.name = name
        self.access = access
    }

    /// Answers GET, and HEAD without the body.
    public mutating func get(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.get, access, handler) }

    /// Answers POST.
    public mutating func post(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.post, access, handler) }

    /// Answers PUT.
    public mutating func put(access: AccessLevel? = nil, _ handler: @escaping Handler) { add(.put, access, handler) }

    /// Answers PATCH.
    public mutating func patch(access: AccessLevel? = nil, _ handler: @escaping Handler) {
        add(.patch, access, handler)
    }

    /// Answers DELETE.
    public mutating func delete(access: AccessLevel? = nil, _ handler: @escaping Handler) {
        add(.delete, access, handler)
    }

    private mutating func add(_ verb: APIVerb, _ level: AccessLevel?, _ handler: @escaping Handler) {
        handlers[verb] = handler
        if let level { accessPerVerb[verb] = level }
    }

    /// The handler of a verb; nil if there is none.
    func handler(of verb: APIVerb) -> Handler? { handlers[verb] }

    /// The level that counts for a verb.
    func level(of verb: APIVerb) -> AccessLevel { accessPerVerb[verb] ?? access }

    /// The methods that are answered, as in an Allow field; disabled ones are left out.
    var allowedMethods: String {
        APIVerb.allCases.filter { handlers[$0] != nil && level(of: $0) != .disabled }.map(\.methods)
            .joined(separator: ",")
    }

    /// The longest name, in characters.
    public static let maximumNameLength = 128

    /// Whether a text can be an API's name: letters, digits, `-`, `_` and `.`, at most 128, the first a letter or `_`.
    public static func canBeNamed(_ name: String) -> Bool {
        guard let first = name.first, first.isLetter || first == "_", name.utf8.count <= maximumNameLength else {
            return false
        }
        return name.utf8.allSatisfy { $0.isLetterOrDigit || "-_.".utf8.contains($0) }
    }
}

public import HTTPModel
public import JSONText
import Synchronization

/// The request that is currently being answered, for code that isn't passed it: what scripts see of it. Set only if a
/// table or an API has scripts.
public struct RequestInHand: Sendable {
    /// The request of this task; nil if no script will ask for it.
    @TaskLocal public static var current: RequestInHand?

    /// The request, without fields that only the old platform could set.
    public let http: HTTPRequest
    /// Its target, read.
    public let target: RequestTarget
    /// The generation that it speaks.
    public let generation: Generation
    /// The client's address, as far as proxies reveal it.
    public let address: String

    /// The header fields that scripts add to the answer.
    public let answerFields = AnswerFields()

    /// The members of the body that no column can hold, which a script may use; nil if none will.
    public private(set) var nestedMembers: NestedMembers?

    /// Whether an operator wants to bypass the scripts of Mobile Services, as the old portal did.
    public let passesScripts: Bool

    /// Creates it from a request.
    /// - Parameters:
    ///   - proxies: those whose statements about the client are believed.
    ///   - isOperators: whether the request has only the master key.
    public init(
        _ http: HTTPRequest, _ target: RequestTarget, in generation: Generation, trusting proxies: TrustedProxies,
        isOperators: Bool = false
    ) {
        passesScripts =
            isOperators
            && target.query.contains { $0.name.lowercased() == "noscript" && $0.value.lowercased() == "true" }
        address = ClientAddress.of(http, trusting: proxies)
        var http = http
        http.fields = proxies.provedFields(of: http)
        self.http = http
        self.target = target
        self.generation = generation
    }

    /// The same if a script will see the body before it is written.
    public var keepingNestedMembers: RequestInHand {
        var kept = self
        kept.nestedMembers = NestedMembers()
        return kept
    }
}

/// Arrays and objects of a body, by the names of their members.
public final class NestedMembers: Sendable {
    private let members = Mutex<[JSONMember]>([])

    init() {}

    /// Keeps a member.
    public func add(_ member: JSONMember) {
        members.withLock { $0.append(member) }
    }

    /// All of them.
    public var all: [JSONMember] { members.withLock { $0 } }
}

/// Header fields that are gathered while a request is answered.
public final class AnswerFields: Sendable {
    private let fields = Mutex<[(HTTPFieldName, String)]>([])
    private let chosen = Mutex<String?>(nil)
    private let whole = Mutex<HTTPResponse?>(nil)

    /// What a script has written itself, in place of any other response; nil if none has.
    public var response: HTTPResponse? { whole.withLock { $0 } }

    /// Notes a response that a script has written itself.
    public func choose(_ response: HTTPResponse) { whole.withLock { $0 = response } }

    /// The id of a new row that a script chose instead of the client or the server; nil if it chose none.
    public var chosenID: String? { chosen.withLock { $0 } }

    /// Notes the id of a new row.
    public func choose(_ id: String) { chosen.withLock { $0 = id } }

    init() {}

    /// Adds a field; what frames messages is the server's own, and what is no name of a field is left out.
    public func add(_ name: String, _ value: String) {
        guard let name = HTTPFieldName(name), !name.framesMessages else { return }
        fields.withLock { $0.append((name, value)) }
    }

    /// Adds what was gathered to an answer.
    public func append(to fields: inout HTTPFields) {
        for (name, value) in self.fields.withLock({ $0 }) { fields.append(named: name, value) }
    }
}

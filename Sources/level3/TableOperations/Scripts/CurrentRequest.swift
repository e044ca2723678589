public import HTTPModel
public import JSONText
import Synchronization

/// The request that operations belong to, for scripts: what they see of it, and what they add to its answer. Known where a
/// table or an API has scripts, and nowhere else.
public final class CurrentRequest: Sendable {
    /// The request, without fields that only the old platform could set.
    public let http: HTTPRequest
    /// Its target, read.
    public let target: RequestTarget
    /// The name of the generation that it speaks.
    public let generation: String
    /// Where the client is, as far as proxies tell.
    public let address: String

    /// The header fields that scripts add to the answer.
    public let answerFields = ExtraResponseFields()

    /// The members of the body that no column can hold, which a script may make something of; nil where none will.
    public let nestedMembers: NestedMembers?

    /// Whether it is done past the scripts of Mobile Services.
    public let passesScripts: Bool

    /// Takes a request in hand.
    /// - Parameter keepsNestedMembers: whether a script will see the body before it is written.
    public init(
        _ http: HTTPRequest, _ target: RequestTarget, in generation: String, from address: String,
        passesScripts: Bool = false, keepsNestedMembers: Bool = false
    ) {
        self.http = http
        self.target = target
        self.generation = generation
        self.address = address
        self.passesScripts = passesScripts
        nestedMembers = keepsNestedMembers ? NestedMembers() : nil
    }

    /// Whether an operator wants a request done past the scripts of Mobile Services, as the old portal did.
    public static func passesScripts(_ target: RequestTarget) -> Bool {
        target.query.contains { $0.name.lowercased() == "noscript" && $0.value.lowercased() == "true" }
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
public final class ExtraResponseFields: Sendable {
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

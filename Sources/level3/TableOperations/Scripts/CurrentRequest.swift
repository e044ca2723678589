public import HTTPModel
public import JSONText
import Synchronization

/// The request that operations belong to, for scripts: what they see of it, and what they add to its answer. It exists
/// only where a table or an API has scripts.
public final class CurrentRequest: Sendable {
    /// The request, without the fields that only the old platform could set.
    public let http: HTTPRequest
    /// Its parsed target.
    public let target: RequestTarget
    /// The name of the request's protocol generation.
    public let generation: String
    /// The client's address, as far as proxies reveal it.
    public let address: String

    /// The header fields that scripts add to the answer.
    public let answerFields = ExtraResponseFields()

    /// The members of the body that no column can hold, for scripts; nil if no script will see them.
    public let nestedMembers: NestedMembers?

    /// Whether the scripts of Mobile Services are bypassed.
    public let passesScripts: Bool

    /// Wraps a request.
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

    /// Returns whether an operator asks to bypass the scripts of Mobile Services, as the old portal could.
    public static func passesScripts(_ target: RequestTarget) -> Bool {
        target.query.contains { $0.name.lowercased() == "noscript" && $0.value.lowercased() == "true" }
    }
}

/// The arrays and objects of a body, by member name.
public final class NestedMembers: Sendable {
    private let members = Mutex<[JSONMember]>([])

    init() {}

    /// Adds a member.
    public func add(_ member: JSONMember) {
        members.withLock { $0.append(member) }
    }

    /// All members.
    public var all: [JSONMember] { members.withLock { $0 } }
}

/// Header fields that are collected while a request is being answered: as a part of what operations return, they would
/// be carried by every answer, for the few that a script has made.
public final class ExtraResponseFields: Sendable {
    private let fields = Mutex<[(HTTPFieldName, String)]>([])
    private let chosen = Mutex<String?>(nil)
    private let whole = Mutex<HTTPResponse?>(nil)

    /// A response that a script has written itself, replacing any other; nil if there is none.
    public var response: HTTPResponse? { whole.withLock { $0 } }

    /// Sets a response that a script has written itself.
    public func choose(_ response: HTTPResponse) { whole.withLock { $0 = response } }

    /// The id that a script chose for a new row, overriding the client's or the server's; nil if it chose none.
    public var chosenID: String? { chosen.withLock { $0 } }

    /// Sets the id of a new row.
    public func choose(_ id: String) { chosen.withLock { $0 = id } }

    init() {}

    /// Adds a field, unless its name is invalid or it frames messages, which is the server's job.
    public func add(_ name: String, _ value: String) {
        guard let name = HTTPFieldName(name), !name.framesMessages else { return }
        fields.withLock { $0.append((name, value)) }
    }

    /// Appends the collected fields to an answer's.
    public func append(to fields: inout HTTPFields) {
        for (name, value) in self.fields.withLock({ $0 }) { fields.append(named: name, value) }
    }
}

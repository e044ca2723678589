import ByteText
import JSONText
import Tables

/// A JSON patch (RFC 6902) of one row: operations on its members, as Microsoft's server accepted them. Paths may lack
/// the slash, and names may be in any case.
struct JSONPatch {
    let steps: [Step]

    /// One operation with the members that it names.
    enum Step {
        /// `add` and `replace` mean the same, since every column exists.
        case set(Member, JSONValue)
        case remove(Member)
        case copy(from: Member, to: Member)
        case move(from: Member, to: Member)
        case test(Member, JSONValue)
    }

    /// The member that a path points to.
    struct Member: Hashable {
        /// The name as the client wrote it, unescaped and without the slash.
        let name: String
        private let key: String

        init(_ name: String) {
            self.name = name
            key = name.lowercased()
        }

        static func == (left: Member, right: Member) -> Bool { left.key.isExactly(right.key) }

        func hash(into hasher: inout Hasher) { key.hashExactly(into: &hasher) }
    }

    /// What can be wrong with an operation.
    enum Fault: Error, Equatable {
        case notAnObject
        case unknownOperation(String)
        /// The member that is missing or not a string.
        case lacks(String)
        /// A path that doesn't lead to a member of the row.
        case path(String)
        case unknownMember(String)
        /// A `test` that fails for the row.
        case untrue(String)
        case copiesTooMuch(limit: Int)
    }

    /// The maximum number of bytes of text that the copies of one patch may add: otherwise a few words could fill a
    /// thousand columns.
    static let maximumCopied = 1_048_576

    /// Whether the row has to be read before the patch can be applied.
    var readsRow: Bool {
        steps.contains { step in
            switch step {
            case .copy, .move, .test: true
            case .set(let member, _), .remove(let member):
                switch SystemColumn(named: member.name) {
                case .createdAt, .updatedAt, .version: true
                case .id, .deleted, nil: false
                }
            }
        }
    }

    /// Whether the patch undeletes the row.
    var undeletes: Bool { lastDeleted == .boolean(false) }

    /// Whether the patch makes the row a tombstone.
    var deletes: Bool { lastDeleted == .boolean(true) }

    /// The value that the last step for `deleted` sets, as far as it is known from the patch alone.
    private var lastDeleted: JSONValue? {
        var deleted: JSONValue?
        for case .set(let member, let value) in steps where SystemColumn(named: member.name) == .deleted {
            deleted = value
        }
        return deleted
    }

    /// The media type of a patch.
    static let mediaType = "application/json-patch+json"

    /// Reads a body, which has to be an array of operations.
    init(_ body: [UInt8]) throws(RequestError) {
        guard case .array(let elements) = try RequestBody.parse(body) else { throw .patchNotArray }
        var steps: [Step] = []
        for (index, element) in elements.enumerated() {
            do throws(Fault) {
                steps.append(try Self.step(element))
            } catch {
                throw .patch(error, at: index + 1)
            }
        }
        self.steps = steps
    }

    private static func step(_ element: JSONValue) throws(Fault) -> Step {
        guard case .object(let members) = element else { throw .notAnObject }
        func member(_ name: String) -> JSONValue? { members.last { $0.name == name }?.value }
        func text(_ name: String) throws(Fault) -> String {
            guard case .string(let text)? = member(name) else { throw .lacks(name) }
            return text
        }
        func value() throws(Fault) -> JSONValue {
            guard let value = member("value") else { throw .lacks("value") }
            return value
        }
        let name = try text("op")
        let target = try target(of: try text("path"))
        switch name.lowercased() {
        case "add", "replace": return .set(target, try value())
        case "remove": return .remove(target)
        case "copy": return .copy(from: try self.target(of: try text("from")), to: target)
        case "move": return .move(from: try self.target(of: try text("from")), to: target)
        case "test": return .test(target, try value())
        default: throw .unknownOperation(name)
        }
    }

    /// Returns the member that a JSON pointer (RFC 6901) leads to.
    private static func target(of path: String) throws(Fault) -> Member {
        let pointer = path.hasPrefix("/") ? path.dropFirst() : path[...]
        guard !pointer.isEmpty, !pointer.contains("/") else { throw .path(path) }
        var name = ""
        var rest = pointer
        while let character = rest.popFirst() {
            guard character == "~" else {
                name.append(character)
                continue
            }
            switch rest.popFirst() {
            case "0": name.append("~")
            case "1": name.append("/")
            default: throw .path(path)
            }
        }
        return Member(name)
    }
}

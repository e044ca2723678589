import JSONText
import Testing
import WireTesting

@testable import Conformance

/// Something that a server or a proxy gets wrong, and the check that has to say so.
struct Fault: Sendable, CustomTestStringConvertible {
    typealias Request = RewritingProxy.Request
    typealias Answer = RewritingProxy.Answer

    let name: String
    /// The id of the check that must fail; others may fail too.
    let check: String
    let changeRequest: @Sendable (inout Request) -> Void
    let changeAnswer: @Sendable (Request, inout Answer) -> Void

    var testDescription: String { "\(name): \(check)" }

    /// A fault in what is asked.
    static func asks(_ name: String, _ check: String, _ change: @escaping @Sendable (inout Request) -> Void) -> Fault {
        Fault(name: name, check: check, changeRequest: change, changeAnswer: { _, _ in })
    }

    /// A fault in what is answered.
    static func answers(
        _ name: String, _ check: String, _ change: @escaping @Sendable (Request, inout Answer) -> Void
    ) -> Fault {
        Fault(name: name, check: check, changeRequest: { _ in }, changeAnswer: change)
    }

    /// An option that does not reach the server.
    static func loses(_ option: String, _ check: String) -> Fault {
        asks("\(option) is lost", check) { $0.drop(option) }
    }

    /// A header field that does not reach the server.
    static func losesField(_ field: String, _ check: String) -> Fault {
        asks("\(field) is lost on the way to \(check.prefix(2))", check) { request in
            request.fields.removeAll { $0.name.lowercased() == field.lowercased() }
        }
    }

    /// A status that is another.
    static func turns(_ code: Int, into status: String, body: String? = nil, _ check: String) -> Fault {
        answers("\(code) becomes \(status)", check) { _, answer in
            guard answer.code == code else { return }
            answer.status = status
            if let body { answer.body = Array(body.utf8) }
        }
    }

    /// Members that are changed wherever they stand in an answer, or left out.
    static func members(
        _ name: String, _ check: String, _ change: @escaping @Sendable (JSONMember) -> JSONMember?
    ) -> Fault {
        answers(name, check) { _, answer in
            guard let value = answer.json else { return }
            answer.body = Array(value.changing(change).json.utf8)
        }
    }

    static let all = heads + bodies + queries + older + newer
}

extension RewritingProxy.Request {
    /// Whether rows are listed.
    var isList: Bool { method == "GET" && path.split(separator: "/").count == 2 }

    /// Leaves out an option of the query.
    mutating func drop(_ option: String) {
        let parts = target.split(separator: "?", maxSplits: 1)
        guard parts.count == 2 else { return }
        let kept = parts[1].split(separator: "&").filter { !$0.hasPrefix("\(option)=") }
        target = parts[0] + (kept.isEmpty ? "" : "?" + kept.joined(separator: "&"))
    }

    /// Adds an option to the query.
    mutating func add(_ option: String) {
        target += (target.contains("?") ? "&" : "?") + option
    }
}

extension RewritingProxy.Answer {
    var json: JSONValue? { try? JSONReader.parse(body) }

    /// The rows of a list turned into others.
    mutating func changeList(_ change: ([JSONValue]) -> JSONValue) {
        guard case .array(let rows) = json else { return }
        body = Array(change(rows).json.utf8)
    }
}

extension JSONValue {
    /// The value with all members of all objects in it changed, or left out.
    func changing(_ change: (JSONMember) -> JSONMember?) -> JSONValue {
        switch self {
        case .array(let items): .array(items.map { $0.changing(change) })
        case .object(let members):
            .object(members.compactMap { change(JSONMember($0.name, $0.value.changing(change))) })
        default: self
        }
    }
}

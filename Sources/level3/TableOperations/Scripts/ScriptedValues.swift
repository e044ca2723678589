import ByteText
import JSONText
import Scalars
import Tables

extension ScriptedAnswer {
    /// Gives the values that a script did not touch back what JavaScript took from them: whole numbers that it has as text,
    /// and the digits that it has rounded.
    mutating func restore(from told: ScriptedOutcome?) {
        guard let body else { return }
        switch told {
        case .row(let row): self.body = Self.restored(body, row)
        case .rows(let rows, _):
            guard case .array(let elements) = body else { return }
            let known = Dictionary(
                rows.compactMap { row in row.id.map { (ExactText($0), row) } }, uniquingKeysWith: { first, _ in first })
            self.body = .array(
                elements.map { element in
                    let id = element["id"]?.textValue ?? element["id"]?.integerValue.map { String($0) }
                    return id.flatMap { known[ExactText($0)] }.map { Self.restored(element, $0) } ?? element
                })
        case .failed, nil: return
        }
    }

    private static func restored(_ value: JSONValue, _ row: Record) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(
            members.map { member in
                switch (row[member.name], member.value) {
                case (.integer(let whole)?, .string(let text)) where text == String(whole):
                    JSONMember(member.name, .integer(whole))
                case (.decimal(let exact)?, let given)
                where given.numberValue != nil && given.numberValue == Double(exact.text):
                    JSONMember(member.name, .precise(exact.text, nearest: given.numberValue ?? 0))
                default: member
                }
            })
    }
}

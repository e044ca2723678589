import ByteText
import JSONText
import Scalars
package import Tables

extension ScriptedAnswer {
    /// Restores what JavaScript lost in values that a script did not touch: whole numbers that it holds as text, and
    /// digits that it has rounded. Most pages have neither and are left as they are.
    mutating func restore(from told: ScriptedOutcome?) {
        guard let body else { return }
        switch told {
        case .row(let row):
            if let losses = Losses(in: row) { self.body = losses.restored(in: body) }
        case .rows(let rows, _):
            guard case .array(let elements) = body else { return }
            let known = Dictionary(
                rows.compactMap { row in
                    Losses(in: row).flatMap { losses in row.id.map { (ExactText($0), losses) } }
                }, uniquingKeysWith: { first, _ in first })
            guard !known.isEmpty else { return }
            self.body = .array(
                elements.map { element in
                    let id = element["id"]?.textValue ?? element["id"]?.integerValue.map { String($0) }
                    return id.flatMap { known[ExactText($0)] }?.restored(in: element) ?? element
                })
        case .failed, nil: return
        }
    }

    /// The values of a row that lose something in JavaScript.
    private struct Losses {
        private let values: Record

        /// - Returns: nil if there are none.
        init?(in row: Record) {
            let lost = row.properties.filter(\.value.isInexactInScripts)
            guard !lost.isEmpty else { return nil }
            values = Record(lost)
        }

        func restored(in value: JSONValue) -> JSONValue {
            guard case .object(let members) = value else { return value }
            return .object(
                members.map { member in
                    switch (values[member.name], member.value) {
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
}

extension Value {
    /// Whether it is a whole number that JavaScript would round. Scripts get it as text.
    package var isTextInScripts: Bool {
        if case .integer(let whole) = self { whole.magnitude > 9_007_199_254_740_991 } else { false }
    }

    /// Whether a script gets it with a loss.
    fileprivate var isInexactInScripts: Bool {
        if case .decimal = self { true } else { isTextInScripts }
    }
}

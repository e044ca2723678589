import OData
import TableSQL
import Tables

extension TransactWriter {
    /// LIKE, ignoring case. The pattern is known before the statement runs, so that the simplest suitable search is
    /// used: for a prefix, a suffix, a substring, or else by a regular expression.
    func like(
        _ value: TransactExpression, _ pattern: TransactExpression, escape: TransactExpression?,
        at place: TransactPlace, in scope: TransactScope
    ) throws(StatementFault) -> SQLFragment {
        let operand = try converted(try resolve(value, in: scope), to: .text, at: place)
        let resolved = try resolve(Self.withoutCase(pattern), in: scope)
        if resolved.isNull || operand.isNull { return "(\(dialect.null(.boolean)))" }
        guard let text = try converted(resolved, to: .text, at: place).constantText else {
            throw pattern.place.fault("LIKE with a pattern that is made of columns is not supported.")
        }
        var sign: Character?
        if let escape {
            guard let text = try resolve(escape, in: scope).constantText, text.count == 1 else {
                throw escape.place.fault("ESCAPE takes one character.")
            }
            sign = text.first
        }
        let parts = try LikePattern.parts(of: text, escape: sign, at: pattern.place)
        return try match(operand, parts, at: pattern.place)
    }

    /// Removes functions that change a pattern's case, which doesn't matter to LIKE.
    private static func withoutCase(_ pattern: TransactExpression) -> TransactExpression {
        guard case .call(let function, let arguments, _) = pattern, [.lower, .upper].contains(function),
            let inner = arguments.first
        else { return pattern }
        return withoutCase(inner)
    }

    private func match(
        _ operand: TransactOperand, _ parts: [LikePattern], at place: TransactPlace
    ) throws(StatementFault) -> SQLFragment {
        let rule = TextRule.ignoringCase
        let texts = parts.compactMap(\.text)
        let shape = parts.map { $0.text.map { _ in "t" } ?? ($0 == .anything ? "%" : "?") }.joined()
        let text = SQLFragment(.text(texts.first ?? ""))
        switch shape {
        case "", "t":
            // Compared as text, whatever the column's type.
            var operand = operand
            operand.type = .text
            return try compared(.equal, operand, TransactOperand(.text(texts.first ?? "")), at: place)
        case "%": return "(\(operand.sql) IS NOT NULL)"
        case "t%": return dialect.sql(.startsWith(rule), [operand.sql, text])
        case "%t": return dialect.sql(.endsWith(rule), [operand.sql, text])
        case "%t%": return dialect.sql(.contains(rule), [operand.sql, text])
        default:
            let expression = "^" + parts.map(\.expression).joined() + "$"
            do throws(TextPattern.Fault) {
                return dialect.sql(.matches(try TextPattern(expression)), [folded(operand)])
            } catch {
                throw place.fault("This pattern of LIKE is not supported: \(error.sentence)")
            }
        }
    }
}

/// A part of a LIKE pattern.
enum LikePattern: Equatable {
    case text(String)
    case anything
    case one
    /// `[a-z]`, in the syntax of regular expressions.
    case set(String)

    /// The literal text.
    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    static func parts(
        of pattern: String, escape: Character?, at place: TransactPlace
    ) throws(StatementFault) -> [LikePattern] {
        var parts: [LikePattern] = []
        var rest = Substring(pattern)
        var text = ""
        func flush() {
            if !text.isEmpty { parts.append(.text(text)) }
            text = ""
        }
        while let character = rest.popFirst() {
            switch character {
            case _ where character == escape:
                guard let escaped = rest.popFirst() else { throw place.fault("The pattern ends with its ESCAPE.") }
                text.append(escaped)
            case "%":
                flush()
                if parts.last != .anything { parts.append(.anything) }
            case "_":
                flush()
                parts.append(.one)
            case "[":
                guard let end = rest.dropFirst().firstIndex(of: "]") else { throw place.fault("`[` never closes.") }
                let members = rest[..<end]
                rest = rest[rest.index(after: end)...]
                // `[%]` is a literal percent sign.
                if members.count == 1 {
                    text += members
                } else {
                    flush()
                    parts.append(.set(set(members)))
                }
            default:
                text.append(character)
            }
        }
        flush()
        return parts
    }

    private static func set(_ members: Substring) -> String {
        let isNegated = members.first == "^"
        let listed = TextFold.lowered(String(isNegated ? members.dropFirst() : members))
        let escaped = listed.unicodeScalars.map { $0 == "-" ? "-" : Self.escaped($0) }.joined()
        return "[\(isNegated ? "^" : "")\(escaped)]"
    }

    /// The part as a regular expression for folded text. Any character is matched by the negated set of a noncharacter.
    var expression: String {
        switch self {
        case .text(let text): TextFold.lowered(text).unicodeScalars.map(Self.escaped).joined()
        case .anything: "\(Self.any)*"
        case .one: Self.any
        case .set(let set): set
        }
    }

    private static let any = "[^\(Unicode.Scalar(0xFDD0 as UInt32).map { String($0) } ?? "\u{E000}")]"

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        let isSign = scalar.isASCII && !scalar.properties.isAlphabetic && !("0"..."9").contains(scalar)
        return isSign ? "\\\(scalar)" : String(scalar)
    }
}

import TableSQL
import Tables

extension TransactWriter {
    /// STUFF: replaces some of a text's characters by another text; null if they don't exist.
    func stuffed(
        _ text: TransactOperand, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        let (start, count) = (try whole(arguments[1], at: place).sql, try whole(arguments[2], at: place).sql)
        let new = try converted(arguments[3], to: .text, at: place).sql
        let head = dialect.sql(.substring, [text.sql, "0", "(\(start) - 1)"])
        let tail = dialect.sql(.substring, [text.sql, "(\(start) - 1 + \(count))"])
        let isThere: SQLFragment = "\(start) >= 1 AND \(start) <= \(dialect.sql(.length, [text.sql])) AND \(count) >= 0"
        let made = dialect.short("\(head) || coalesce(\(new), \(SQLFragment(.text("")))) || \(tail)")
        return TransactOperand("(CASE WHEN \(isThere) THEN \(made) END)", .text)
    }

    /// CHAR, SPACE and REPLICATE, which build texts from constants.
    func made(
        _ function: TransactFunction, _ arguments: [TransactOperand], at place: TransactPlace
    ) throws(StatementFault) -> TransactOperand {
        if function == .character {
            guard case .integer(let code) = arguments[0].constant, (1...255).contains(code) else {
                throw place.fault("CHAR takes a number from 1 to 255 that is no column.")
            }
            return TransactOperand(.text(String(UnicodeScalar(UInt8(code)))))
        }
        let text = function == .space ? " " : try converted(arguments[0], to: .text, at: place).constantText
        guard let text, text.utf8.count <= Self.longestRepeated else {
            throw place.fault("REPLICATE takes a short text that is no column.")
        }
        let count = try whole(arguments[arguments.count - 1], at: place).sql
        let most = SQLFragment(.integer(Self.mostTimes))
        let times: SQLFragment = "(CASE WHEN \(count) > \(most) THEN \(most) ELSE \(count) END)"
        let made = dialect.repeated(SQLFragment(.text(text)), times)
        return TransactOperand("(CASE WHEN \(count) >= 0 THEN \(made) END)", .text)
    }

    private static let longestRepeated = 100
    /// SQL Server truncates to this many characters too.
    private static let mostTimes: Int64 = 8_000

    /// Returns 1 for a number and for a text that is one, otherwise 0.
    func isNumeric(_ operand: TransactOperand) -> TransactOperand {
        switch operand.type {
        case .whole, .real, .decimal, .boolean:
            return TransactOperand("(CASE WHEN \(operand.sql) IS NULL THEN 0 ELSE 1 END)", .whole)
        case .text, .identifier:
            let number = dialect.number(ofText: operand.sql, isWhole: false)
            return TransactOperand("(CASE WHEN (\(number)) IS NULL THEN 0 ELSE 1 END)", .whole)
        case .null, .date, .version: return TransactOperand(.integer(0))
        }
    }
}

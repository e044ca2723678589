import Scalars
import TableSQL
public import Tables

/// Checks a script without running it: it is parsed, and translated for a database.
public enum TransactDryRun {
    /// - Parameters:
    ///   - prefixesSystemColumns: whether system columns have the names of the first generation.
    ///   - table: finds a served table, by its name in any case.
    /// - Returns: why the script would be refused, whatever the values of its parameters; nil if it would not.
    public static func fault(
        of text: String, on dialect: any TransactDialect, prefixesSystemColumns: Bool,
        table: @escaping (String) -> Table?
    ) -> StatementFault? {
        var refusal: StatementFault?
        // The type of a parameter is unknown in advance.
        for value in [Value.null, .integer(1), .text("a")] {
            do throws(TransactFailure<Never>) {
                let script = try script(text, value, prefixesSystemColumns)
                let context = TransactContext(script, now: Instant(milliseconds: 0), table: table)
                _ = try read(text).run(on: EmptyDatabase(), with: context, dialect: dialect)
                return nil
            } catch {
                if case .fault(let fault) = error { refusal = refusal ?? fault }
            }
        }
        return refusal
    }

    private static func read(_ text: String) throws(TransactFailure<Never>) -> TransactScript {
        do throws(StatementFault) { return try TransactScript(text) } catch { throw .fault(error) }
    }

    /// Returns the script with one value for all its parameters.
    private static func script(
        _ text: String, _ value: Value, _ prefixesSystemColumns: Bool
    ) throws(TransactFailure<Never>) -> StatementScript {
        let tokens: [TransactToken]
        do throws(StatementFault) { tokens = try TransactLexer.tokens(of: text) } catch { throw .fault(error) }
        var script = StatementScript(text, prefixesSystemColumns: prefixesSystemColumns)
        script.positional = tokens.compactMap { if case .placeholder = $0.kind { value } else { nil } }
        for name in parameters(of: tokens) { script.named[name] = value }
        return script
    }

    /// Returns the names of variables without a DECLARE.
    private static func parameters(of tokens: [TransactToken]) -> [String] {
        let beginnings = ["select", "insert", "update", "delete", "set", "if", "merge", "with", "exec"]
        var isDeclaring = false
        var named: [String] = []
        var declared: [String] = []
        for (index, token) in tokens.enumerated() {
            switch token.kind {
            case .word(let word) where word.lowercased() == "declare": isDeclaring = true
            case .word(let word) where beginnings.contains(word.lowercased()): isDeclaring = false
            case .symbol(";"): isDeclaring = false
            case .variable(let name):
                let before = index > 0 ? tokens[index - 1].kind : .end
                let isFirst = if case .word(let word) = before { word.lowercased() == "declare" } else { false }
                if isDeclaring, isFirst || before == .symbol(",") {
                    declared.append(name.lowercased())
                } else {
                    named.append(name.lowercased())
                }
            default: break
            }
        }
        return Set(named).subtracting(declared).sorted()
    }
}

/// An empty database, which does nothing.
private struct EmptyDatabase: TransactConnection {
    func rows(of statement: SQLText, _ columns: [TransactColumn], _ take: ([Value]) -> Bool) throws(Never) {}
    func write(_ statement: SQLText) throws(Never) -> Int { 0 }
}

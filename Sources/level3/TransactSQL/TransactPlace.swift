import Tables

/// A position in a script, counted from 1.
struct TransactPlace: Sendable, Hashable {
    var line = 1
    var column = 1

    /// Returns a fault at this position.
    func fault(_ sentence: String) -> StatementFault {
        StatementFault(sentence, line: line, column: column)
    }
}

import Tables

/// Where something stands in a script, counted from 1.
struct TransactPlace: Sendable, Hashable {
    var line = 1
    var column = 1

    /// The fault of what stands here.
    func fault(_ sentence: String) -> StatementFault {
        StatementFault(sentence, line: line, column: column)
    }
}

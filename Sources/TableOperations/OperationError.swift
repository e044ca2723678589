public import Tables

/// Why an operation on rows failed. Conflicts and missing rows are outcomes, not errors.
public enum OperationError: Error, Sendable, Equatable {
    case table(TableError)
}

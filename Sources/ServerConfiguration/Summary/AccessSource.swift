package import Access
package import Tables

/// Who may do an operation, and what says so.
package struct AccessSource: Sendable {
    package let operation: Operation
    package let level: AccessLevel
    /// The key with dots and where it stands; nil where nothing is said, and everybody is let in.
    package let said: (key: String, origin: Origin)?

    init(_ operation: Operation, _ applied: AppliedAccess) {
        self.operation = operation
        level = applied.level
        said = applied.value.map { ($0.key, $0.origin) }
    }
}

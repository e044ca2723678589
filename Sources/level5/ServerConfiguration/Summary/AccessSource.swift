package import Access
package import Tables

/// Who may do an operation, and which setting says so.
package struct AccessSource: Sendable {
    package let operation: Operation
    package let level: AccessLevel
    /// The key with dots and its position; nil if nothing is said, and everybody is let in.
    package let said: (key: String, origin: Origin)?

    init(_ operation: Operation, _ applied: EffectiveAccess) {
        self.operation = operation
        level = applied.level
        said = applied.value.map { ($0.key, $0.origin) }
    }
}

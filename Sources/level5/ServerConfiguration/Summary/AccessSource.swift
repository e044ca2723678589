package import Access
package import Tables

/// The access level of an operation, and the setting that it comes from.
package struct AccessSource: Sendable {
    package let operation: Operation
    package let level: AccessLevel
    /// The key with dots, and its position; nil if there is no setting, so that access is open to everyone.
    package let said: (key: String, origin: Origin)?

    init(_ operation: Operation, _ applied: EffectiveAccess) {
        self.operation = operation
        level = applied.level
        said = applied.value.map { ($0.key, $0.origin) }
    }
}

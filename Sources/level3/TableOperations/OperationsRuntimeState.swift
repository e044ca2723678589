/// State of the operations that survives a change of rules.
public final class OperationsRuntimeState: Sendable {
    let handlerThreads = HandlerThreads()
    let acknowledgedChanges = AcknowledgedChanges()

    /// Creates empty state.
    public init() {}
}

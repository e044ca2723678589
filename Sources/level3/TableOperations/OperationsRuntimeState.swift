/// What operations keep when other rules take the place of theirs.
public final class OperationsRuntimeState: Sendable {
    let handlerThreads = HandlerThreads()
    let givenAnswers = AcknowledgedChanges()

    /// Nothing yet.
    public init() {}
}

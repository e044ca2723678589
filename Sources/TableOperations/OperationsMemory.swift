/// What operations keep when other rules take the place of theirs.
public final class OperationsMemory: Sendable {
    let handlerThreads = HandlerThreads()
    let givenAnswers = GivenAnswers()

    /// Nothing yet.
    public init() {}
}

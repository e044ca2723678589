/// The answer to an operation.
public enum OperationAnswer<Result: Sendable>: Sendable {
    /// The operation's own result.
    case result(Result)
    /// A script's answer, sent instead.
    case script(ScriptedAnswer)

    /// Returns the same answer with the operation's own result transformed.
    @inlinable
    public func map<Other: Sendable, Failure: Error>(
        _ transform: (Result) throws(Failure) -> Other
    ) throws(Failure) -> OperationAnswer<Other> {
        switch self {
        case .result(let result): .result(try transform(result))
        case .script(let answer): .script(answer)
        }
    }
}

/// What comes of an operation.
public enum OperationAnswer<Result: Sendable>: Sendable {
    /// What the operation gave.
    case result(Result)
    /// What a script answers in its place.
    case script(ScriptedAnswer)

    /// The same with what is made of the operation's own result.
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

import JSONText
import Scripts
import TableOperations
import Tables

/// Runs the SQL of scripts.
struct ScriptSQL {
    let store: any TableStore

    /// - Parameters:
    ///   - parameters: an array for question marks, or an object for names.
    ///   - isOperators: whether it isn't on behalf of a user.
    func reply(
        to text: String, _ parameters: JSONValue, _ generation: ScriptGeneration, isOperators: Bool
    ) async -> ScriptReply {
        guard let store = store as? any StatementStore else {
            return .failed(AskFailure(.store, 501, "the database runs no SQL of scripts"))
        }
        var script = StatementScript(text, prefixesSystemColumns: generation == .v1, asker: "scripts")
        script.isOperators = isOperators
        switch parameters {
        case .array(let values): script.positional = values.map(Self.value)
        case .object(let members):
            for member in members { script.named[member.name] = Self.value(member.value) }
        default: break
        }
        do throws(StatementError) {
            return .results(try await store.run(script))
        } catch {
            let failure =
                switch error {
                // Only the script's author can do anything about it.
                case .refused(let fault): AskFailure(.store, 500, fault.description)
                case .duplicate(let detail): AskFailure(.duplicate, 409, detail)
                case .store(.timeout): AskFailure(.store, 500, Self.tooLong)
                case .store(.tooLarge): AskFailure(.store, 500, Self.tooMuch)
                case .store(let error): AskFailure(.store, 500, ThrownError.words(error))
                }
            return .failed(failure)
        }
    }

    private static let tooLong =
        "the SQL took longer than it may, or kept others from writing for too long; nothing of it is done. Do it in smaller "
        + "pieces (WHERE id IN (SELECT TOP 1000 id FROM ...)), or in a job, which has more time"
    private static let tooMuch =
        "the SQL calculates, answers or writes more than it may; nothing of it is done. Do it in smaller pieces "
        + "(WHERE id IN (SELECT TOP 1000 id FROM ...))"

    /// Returns a parameter; a value that isn't plain is passed as JSON text, which is never taken for SQL.
    private static func value(_ json: JSONValue) -> Value {
        if let property = Record(json: [JSONMember("value", json)])?.properties.first { return property.value }
        return .text(json.jsonText)
    }
}

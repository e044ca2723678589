import JSONText
import Testing

@testable import Scripts

@Suite struct `What a script asks that the server doesn't know` {
    @Test(arguments: [
        #"{"t":"ask","id":1,"k":7,"do":"dance"}"#, #"{"t":"ask","id":1,"k":7,"do":"table","operation":"dance"}"#,
    ])
    func `is refused, and not left without an answer`(text: String) throws {
        guard case .ask(1, let ask) = WorkerMessage(try JSONReader.parse(Array(text.utf8))), case .unknown = ask.kind
        else {
            Issue.record("\(text) was dropped")
            return
        }
        #expect(ask.number == 7)
    }
}

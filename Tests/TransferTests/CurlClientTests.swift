import CurlClient
import HTTPModel
import Testing
import WireTesting

@Suite(.ownThread) struct `Requests by curl` {
    @Test func `an interim answer is none, and its fields are not the answer's`() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
        let final = "HTTP/1.1 200 Fine\r\nA: b\r\nConnection: close\r\n\r\nbody"
        let source = try RawSource([interim + final])
        defer { source.stop() }
        let request = CurlRequest(.get, "http://127.0.0.1:\(source.port)/")
        let answer = try await CurlClient(isForReading: false).send(request)
        #expect(answer.status == 200 && answer.reason == "Fine")
        #expect(answer.fields == [CurlField("A", "b"), CurlField("Connection", "close")])
        #expect(answer.body == Array("body".utf8))
    }

    @Test func `a body arrives as it is, whatever is in it`() async throws {
        let receiver = Receiver()
        try await receiver.listening { url in
            let body = "a\nb\r\n\"c\"\\d\te\u{1F3FF}\\n\n"
            let answer = try await CurlClient(isForReading: false).send(CurlRequest(.post, url, body: body))
            #expect(answer.status == 200)
            #expect(await receiver.next(1).first?.body == Array(body.utf8))
        }
    }
}

import CustomAPI
import HTTPModel
import JSONText
import Testing

@Suite("Answers of handlers")
struct APIResponseTests {
    private struct Greeting: Codable {
        let message: String
    }

    private func body(_ response: APIResponse) -> String { String(decoding: response.body, as: UTF8.self) }

    @Test func `JSON is written in code, or encoded`() throws {
        let written = APIResponse.json(["message": "Hi \(1 + 1)", "list": [1, 2.5, nil, true]])
        #expect(body(written) == #"{"message":"Hi 2","list":[1,2.5,null,true]}"#)
        #expect(body(try .encoded(Greeting(message: "Hi"))) == #"{"message":"Hi"}"#)
    }

    @Test func `a field of any name is added`() {
        let response = APIResponse.text("a").adding("X-Mine", "b\r\nc")
        #expect(response.fields["x-mine"] == "b  c")
        #expect(response.fields["Content-Type"] == "text/plain; charset=utf-8")
    }

    @Test(arguments: ["", "a b", "a:b", "a\r\nb", "é", "(a)"])
    func `a text that would break the head names no field`(name: String) {
        #expect(HTTPFieldName(name) == nil)
    }

    @Test(arguments: [0, 100, 199, 600, -1, 1_000])
    func `a code that is none of a final response is no status`(code: Int) {
        #expect(HTTPStatus(rawValue: code) == nil)
    }

    @Test(arguments: [(200, "OK"), (418, ""), (422, "Unprocessable Content"), (599, "")])
    func `any other code is one, with its phrase`(code: Int, phrase: String) {
        #expect(HTTPStatus(rawValue: code)?.reasonPhrase == phrase)
    }
}

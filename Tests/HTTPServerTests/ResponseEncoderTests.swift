import HTTPModel
import Testing

@testable import HTTPServer

@Suite("Response encoder")
struct ResponseEncoderTests {
    @Test func `a response is written exactly so`() {
        var fields = HTTPFields()
        fields.append("ETag", "\"a\"")
        let text = encode(HTTPResponse(.created, fields: fields, body: Array("{}".utf8)))
        #expect(
            text
                == "HTTP/1.1 201 Created\r\nDate: x\r\nETag: \"a\"\r\nContent-Length: 2\r\n\r\n{}")
    }

    @Test func `an empty body has the length 0`() {
        #expect(encode(HTTPResponse(.ok)) == "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `HEAD gets the length but no body`() {
        let text = encode(HTTPResponse(.ok, body: [UInt8](repeating: 0, count: 1_234_567)), isHead: true)
        #expect(text == "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 1234567\r\n\r\n")
    }

    @Test func `204 has neither body nor length`() {
        let text = encode(HTTPResponse(.noContent, body: [1, 2, 3]))
        #expect(text == "HTTP/1.1 204 No Content\r\nDate: x\r\n\r\n")
    }

    @Test func `304 has neither, as a length would be that of another answer`() {
        let text = encode(HTTPResponse(.notModified, body: [1, 2, 3]))
        #expect(text == "HTTP/1.1 304 Not Modified\r\nDate: x\r\n\r\n")
    }

    @Test func `the connection says whether it stays`() {
        #expect(encode(HTTPResponse(.ok), persistence: .close).contains("\r\nConnection: close\r\n"))
        #expect(encode(HTTPResponse(.ok), persistence: .keepAlive).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test func `a stream has its length where that is known, else chunks, and HTTP 1.0 the end of the connection`() {
        func head(_ length: Int?, minorVersion: Int = 1) -> String {
            let stream = ResponseStream(length: length) { nil }
            return encode(HTTPResponse(.ok, body: .stream(stream)), minorVersion: minorVersion)
        }
        #expect(head(7) == "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Length: 7\r\n\r\n")
        #expect(head(nil) == "HTTP/1.1 200 OK\r\nDate: x\r\nTransfer-Encoding: chunked\r\n\r\n")
        #expect(head(nil, minorVersion: 0) == "HTTP/1.1 200 OK\r\nDate: x\r\n\r\n")
    }

    @Test(arguments: [(1, "1\r\n"), (255, "ff\r\n"), (65_536, "10000\r\n")])
    func `a chunk begins with its size in hexadecimal`(size: Int, line: String) {
        var output: [UInt8] = []
        ResponseEncoder.appendChunkSize(size, to: &output)
        #expect(String(decoding: output, as: UTF8.self) == line)
    }

    private func encode(
        _ response: HTTPResponse, isHead: Bool = false, minorVersion: Int = 1,
        persistence: ResponseEncoder.Persistence = .implied
    ) -> String {
        var output: [UInt8] = []
        let framing = BodyFraming(of: response, minorVersion: minorVersion)
        ResponseEncoder.encodeHead(
            response, framing: framing, persistence: persistence, date: Array("Date: x\r\n".utf8), into: &output)
        if !isHead, framing != .absent { output += response.body.joined ?? [] }
        return String(decoding: output, as: UTF8.self)
    }
}

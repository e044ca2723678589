import HTTPModel
import Testing

@Suite("Methods and faults")
struct HTTPMessageTests {
    @Test(arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "MERGE", "get"])
    func `a method keeps its name`(name: String) {
        #expect(HTTPMethod(name).name == name)
    }

    @Test func `methods are case-sensitive`() {
        #expect(HTTPMethod("GET") == .get)
        #expect(HTTPMethod("get") == .other("get"))
    }

    @Test(arguments: [
        (HTTPFault.malformed("x"), 400), (.requestLineTooLong(limit: 1), 414), (.fieldsTooLarge(limit: 1), 431),
        (.tooManyFields(limit: 1), 431), (.bodyTooLarge(limit: 1), 413), (.timeout, 408), (.unsupportedVersion, 505),
        (.unsupportedCoding("gzip"), 501), (.unmetExpectation("x"), 417), (.tooManyConnections(limit: 1), 503),
        (.tooManyConnectionsOfAddress(limit: 1), 503), (.buffersFull, 503),
    ])
    func `each fault has its status`(fault: HTTPFault, status: Int) {
        #expect(fault.status.rawValue == status)
    }
}

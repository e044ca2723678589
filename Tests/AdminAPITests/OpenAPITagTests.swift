import Testing

@testable import AdminAPI

@Suite("The tag of the OpenAPI document")
struct OpenAPITagTests {
    /// The first eight bytes of the SHA-256, of which those under 16 have one digit: clients know older documents by it.
    @Test(arguments: [
        (#"{"n":0}"#, "f3-1-3f-93-3b-9f-b8-a"), (#"{"n":8}"#, "b3-0-63-30-32-f2-0-1b"),
        ("{}", "44-13-6f-a3-55-b3-67-8a"),
    ])
    func `is the same as before`(body: String, tag: String) {
        #expect(OpenAPIRouter.tag(of: Array(body.utf8)) == tag)
    }
}

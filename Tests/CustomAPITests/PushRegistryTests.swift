import Testing

@testable import CustomAPI

@Suite("What clients register for push messages")
struct PushRegistryTests {
    @Test func `the oldest entries go first`() {
        let registry = PushRegistry()
        for number in 0...PushRegistry.maximumEntries { registry.setInstallation("i\(number)", []) }
        #expect(registry.installation("i0") == nil)
        #expect(registry.installation("i1") != nil)
        let first = registry.newRegistration()
        for _ in 0..<PushRegistry.maximumEntries { _ = registry.newRegistration() }
        #expect(!registry.setRegistration(first, []))
    }

    @Test(arguments: [(PushRegistry.maximumBodyBytes, "c"), (PushRegistry.maximumBodyBytes + 1, nil)])
    func `of a body that is too large only the id is kept`(size: Int, channel: String?) {
        let registry = PushRegistry()
        let head = #"{"pushChannel":"c","x":""#
        let padding = String(repeating: "x", count: size - head.utf8.count - 2)
        registry.setInstallation("a", Array("\(head)\(padding)\"}".utf8))
        #expect(registry.installation("a")?.channel == channel)
        #expect(registry.installation("A") != nil)
    }

    @Test(arguments: ["", "[]", "{", "nonsense"])
    func `a body that is no object is none`(body: String) {
        let registry = PushRegistry()
        registry.setInstallation("a", Array(body.utf8))
        #expect(registry.installation("a")?.channel == nil)
        #expect(registry.installation("a") != nil)
    }
}

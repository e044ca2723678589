import CustomAPI
import TableOperations
import Testing

@Suite("What a program adds")
struct ExtensionsTests {
    @Test(arguments: ["hello", "completeAll", "_x", "a-b.c_1", String(repeating: "a", count: 128)])
    func `an API has a name that a path shows as it is`(name: String) {
        var extensions = Extensions()
        extensions.api(name) { $0.get { _ in .empty() } }
        #expect(extensions.apis.map(\.name) == [name])
        #expect(extensions.faults.isEmpty)
    }

    @Test(arguments: ["", "1a", "-a", "a b", "a/b", "é", "a\u{0}", String(repeating: "a", count: 129)])
    func `another name is a fault`(name: String) {
        var extensions = Extensions()
        extensions.api(name) { $0.get { _ in .empty() } }
        #expect(extensions.apis.isEmpty)
        #expect(extensions.faults.count == 1)
    }

    @Test func `two APIs of one name in any case are a fault`() {
        var extensions = Extensions()
        extensions.api("hello") { $0.get { _ in .empty() } }
        extensions.api("Hello") { $0.post { _ in .empty() } }
        #expect(extensions.apis.map(\.name) == ["hello"])
        #expect(extensions.faults.count == 1)
    }

    @Test func `hooks of one table add up, whatever the case of its name`() {
        var extensions = Extensions()
        extensions.table("TodoItem") { $0.beforeInsert { _ in } }
        extensions.table("todoitem") { $0.afterInsert { _ in } }
        extensions.table("no table") { $0.afterInsert { _ in } }
        #expect(extensions.hooks.count == 1)
        #expect(extensions.faults.count == 1)
    }
}

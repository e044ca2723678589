import Access
import Testing

@testable import ServerLogging

@Suite("Users in the log")
struct LoggedUsersTests {
    private let key = String(repeating: "0123456789abcdef", count: 4)

    @Test func `stand as they are, and long ones cut`() {
        #expect(LoggedUsers.plain.name(of: "Facebook:77") == "Facebook:77")
        #expect(LoggedUsers(.plain, key: nil).name(of: String(repeating: "x", count: 10_000)).utf8.count < 150)
    }

    @Test func `are marks where they are hashed, the same with the same key`() throws {
        let first = LoggedUsers(.hashed, key: try SigningKey(key))
        let mark = first.name(of: "Facebook:77")
        #expect(mark.utf8.count == 16 && !mark.contains("77:"))
        #expect(LoggedUsers(.hashed, key: try SigningKey(key)).name(of: "Facebook:77") == mark)
        #expect(first.name(of: "Facebook:78") != mark)
        let other = try SigningKey(String(key.reversed()))
        #expect(LoggedUsers(.hashed, key: other).name(of: "Facebook:77") != mark)
    }

    @Test func `have the marks that older versions gave them`() throws {
        let key = try SigningKey("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
        #expect(LoggedUsers(.hashed, key: key).name(of: "sid:1") == "38162f1572db89ce")
    }

    @Test func `are marks of this run where there is no key`() {
        let users = LoggedUsers(.hashed, key: nil)
        #expect(users.name(of: "a") == users.name(of: "a") && users.name(of: "a").utf8.count == 16)
        #expect(LoggedUsers(.hashed, key: nil).name(of: "a") != users.name(of: "a"))
    }
}

import Operating
import Testing

@testable import Transfer

@Suite struct `The address of another server` {
    @Test(arguments: [
        ("https://user:pass%2Fword@old.example/x/", "https://old.example/x", "https://user:pass%2Fword@old.example/x"),
        ("https://old.example//", "https://old.example", "https://old.example"),
        ("HTTP://token@[::1]:80", "HTTP://[::1]:80", "HTTP://token@[::1]:80"),
        ("https://a:b@c@old.example", "https://old.example", "https://a:b@c@old.example"),
    ])
    func `is shown without name and password, and asked with them`(_ given: String, shown: String, sent: String) throws
    {
        let address = try RemoteAddress(given)
        #expect(address.shown == shown && address.sent == sent)
    }

    @Test(arguments: [
        "ftp://user:secret@old.example", "user:secret@old.example", "https://user:secret@old.example?x=1",
        "https://user:sec/ret@old.example", "https://user:sec\"ret@old.example", "https://user:secret #@old.example",
    ])
    func `is refused without showing what may be a password`(_ given: String) {
        let fault = #expect(throws: CommandFault.self) { try RemoteAddress(given) }
        let words = "\(fault.map(String.init(describing:)) ?? "")"
        #expect(!words.contains("secret") && !words.contains("sec/ret") && !words.contains("sec\"ret"), "\(words)")
        #expect(words.contains("--from"), "\(words)")
    }

    @Test func `takes its secrets out of the words of others`() throws {
        let address = try RemoteAddress("https://user:pa%24word@old.example")
        let words = address.hidingSecrets(
            in: "no route to https://user:pa%24word@old.example/tables/x; the password pa$word is wrong")
        #expect(words == "no route to https://old.example/tables/x; the password … is wrong")
    }
}

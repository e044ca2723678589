import Access
import Testing

@testable import AuthAPI

@Suite struct `Where a login may send its user` {
    private let settings: LoginSettings

    init() throws {
        var settings = LoginSettings(
            signingKey: try SigningKey("00112233445566778899aabbccddeeff"), issuer: "i", audience: "a")
        settings.redirects = ["myapp://easyauth.callback", "https://app.example.com/cb/*"]
        self.settings = settings
    }

    @Test(arguments: [
        "myapp://easyauth.callback", "https://app.example.com/cb/", "https://app.example.com/cb/done?next=/../x#..",
    ])
    func `is what the configuration names, and what begins so`(url: String) {
        #expect(settings.allowsRedirect(to: url))
    }

    @Test(arguments: [
        "https://app.example.com/cb", "https://app.example.com/evil", "https://app.example.com/cb/../evil",
        "https://app.example.com/cb/%2e%2E/evil", "https://app.example.com/cb/./x",
        #"https://app.example.com/cb/\..\evil"#,
        "https://app.example.com/cb/.%2e", "https://app.example.com/cb/ x", "https://app.example.com/cb/\n",
        "myapp://easyauth.callback/x",
    ])
    func `is nothing that a browser takes for another place`(url: String) {
        #expect(!settings.allowsRedirect(to: url))
    }
}

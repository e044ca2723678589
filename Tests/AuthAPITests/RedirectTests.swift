import Access
import Testing

@testable import AuthAPI

@Suite struct `Where a login may send its user` {
    private let settings: LoginSettings

    init() throws {
        var settings = LoginSettings(
            signingKey: try SigningKey("00112233445566778899aabbccddeeff"), issuer: "i", audience: "a")
        settings.redirects = [
            "myapp://easyauth.callback", "https://app.example.com/cb/*", "ZumoE2ETest://easyauth.callback",
            "https://app.example.com:443/end", "http://127.0.0.1/back", "http://[::1]:80/*", "http://localhost/back",
            "http://localhost:3000/three", "com.example.app:/oauth2redirect", "other://*", "third://easy*",
        ]
        self.settings = settings
    }

    @Test(arguments: [
        "myapp://easyauth.callback", "https://app.example.com/cb/", "https://app.example.com/cb/done?next=/../x#..",
        // As .NET's Uri writes it.
        "myapp://easyauth.callback/", "MyApp://EasyAuth.Callback", "zumoe2etest://easyauth.callback/",
        "ZumoE2ETest://easyauth.callback", "https://app.example.com/end", "HTTPS://APP.example.com:443/end",
        "https://app.example.com/%65nd", "https://app.example.com/cb/%7Eann",
        // Apps on a desktop, at whatever port is free.
        "http://127.0.0.1:51004/back", "http://127.0.0.1/back", "http://[::1]:51004/x", "http://localhost:51004/back",
        "http://localhost:3000/three", "com.example.app:/oauth2redirect", "other://x/y", "other://",
        "third://easyauth/x",
    ])
    func `is what the configuration names, and what begins so`(url: String) {
        #expect(settings.allowsRedirect(to: url))
    }

    @Test(arguments: [
        "https://app.example.com/cb", "https://app.example.com/evil", "https://app.example.com/cb/../evil",
        "https://app.example.com/cb/%2e%2E/evil", "https://app.example.com/cb/./x",
        #"https://app.example.com/cb/\..\evil"#,
        "https://app.example.com/cb/.%2e", "https://app.example.com/cb/ x", "https://app.example.com/cb/\n",
        "myapp://easyauth.callback/x", "myapp://easyauth.callback//", "myapp://easyauth.callback?x",
        "myapp:/easyauth.callback",
        "myapp://easyauth.callback.evil", "myapp://user@easyauth.callback", "myapp://easyauth.callback:1",
        "https://app.example.com/END", "https://app.example.com:444/end", "http://app.example.com/end",
        "http://app.example.com:443/end", "https://app.example.com@evil.example/end", "https://app.example.com:x/end",
        "https://app.example.com:443@evil.example/cb/", "https://evil.example/cb/", "https:/app.example.com/end",
        "https:app.example.com/end", "//app.example.com/end", "/end", "https://", "", ":",
        "https://app.example.com/%65n%64/",
        "http://127.0.0.1:51004/else", "https://127.0.0.1:51004/back", "http://127.0.0.2:51004/back",
        "http://127.0.0.1.evil.example:51004/back", "http://127.0.0.1:51004:80/back", "http://127.0.0.1:+1/back",
        "http://localhost:3001/three", "http://localhost.evil.example/back", "com.example.app://oauth2redirect",
        "com.example.app:/oauth2redirect/", "javascript:/oauth2redirect", "other:x", "third://evil",
    ])
    func `is nothing that a browser takes for another place`(url: String) {
        #expect(!settings.allowsRedirect(to: url))
    }
}

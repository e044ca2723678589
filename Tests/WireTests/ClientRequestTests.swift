import JSONText
import SyncTesting
import Testing
import WireTesting

/// The golden cases of each library hold what it is known to send. The engines of the pull and push tests must send the
/// same, or they would test another client.
@Suite struct `What client libraries send` {
    private static func folder(of kind: ClientKind) -> String {
        switch kind {
        case .ios2: "clients-ios2"
        case .ios3: "clients-ios3"
        case .android3: "clients-android3"
        case .javascript2: "clients-js2"
        case .dotnet4: "clients-net4"
        case .datasync5: "clients-datasync5"
        case .datasync6: "clients-datasync6"
        case .toolkit: "clients-toolkit"
        }
    }

    @Test(arguments: ClientKind.served)
    func `an engine's requests are those of its library's golden case`(_ kind: ClientKind) async throws {
        let path = "\(Self.folder(of: kind))/changes-are-pushed-and-pulled"
        let golden = try GoldenCase(name: path, text: Fixture.text(of: "\(Fixture.golden)/\(path).http"))
        // The requests of others, in between, have no User-Agent or X-ZUMO-VERSION.
        let expected = golden.requestTexts.filter { $0.contains("ZUMO/") || $0.contains("Datasync/") }
        let sent = try await TestServer.with(on: .sqlite) { server in
            let client = kind.client(of: server)
            try Self.play(client, beside: try Editor(port: server.port))
            return client.connection.exchanges.map(\.request.text)
        }
        #expect(sent.map(Self.normalised) == expected.map(Self.normalised))
    }

    /// The story of the golden cases.
    private static func play(_ client: SyncClient, beside other: Editor) throws {
        client.insert("a", ["text": .string("tea"), "complete": .boolean(false)])
        try client.pull()
        client.update("a", ["text": .string("green tea")])
        try client.push()
        try other.touch("a", "black tea")
        client.update("a", ["text": .string("white tea")])
        try client.push()
        client.delete("a")
        try client.pull()
        client.insert("a", ["text": .string("tea"), "complete": .boolean(true)])
        try client.push()
    }

    /// A request in which every version, date and installation is the same, however a library writes it.
    private static func normalised(_ request: String) -> String {
        request
            .replacing(/[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}/, with: "INSTALLATION")
            .replacing(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "installation")
            .replacing(/\{version\d\}|[A-Za-z0-9+\/]{11}=/, with: "VERSION")
            .replacing(
                /\{date\d( encoded| ticks)?\}|\d{4}-\d\d-\d\dT\d\d(:|%3A)\d\d(:|%3A)\d\d\.\d{3}(Z|0000%2B00%3A00)/,
                with: "DATE")
    }
}

import SyncTesting

extension ClientKind {
    /// The kinds whose generation the server speaks.
    static let served: [ClientKind] = [.ios3, .android3, .javascript2, .dotnet4]

    /// Lines for the configuration of a server whose pages are so long, where the library doesn't say.
    func lines(pageSize: Int) -> [String] {
        leavesPagesToServer ? ["pageSize: \(pageSize)"] : []
    }

    func client(
        of server: TestServer, pageSize: Int = 50, choice: SyncClient.Choice = .serverWins
    ) -> SyncClient {
        let port = server.port
        return SyncClient(self, PullSettings(table: "todo", pageSize: pageSize), choice: choice) { port }
    }
}

import SyncTesting

extension ClientKind {
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

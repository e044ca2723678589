import Access
import AuthAPI
import DataPage
import ServerConfiguration
import ServerMetrics
import TableAPI
import TableOperations
import Tables
import ZumoProtocol

extension Application {
    /// Returns a function that creates the data page; nil if there is no page.
    func page(
        of server: ServerParts, _ settings: TableSettings, _ auth: AuthRouter?
    ) -> ((TableRouter) -> DataPage)? {
        guard configuration.isPageEnabled != false else { return nil }
        let (store, metrics, state) = (server.database.store, server.metrics, server.state)
        return { tables in
            var parts = PageDependencies(
                callers: settings.callers, product: Release.name, storeName: configuration.database.storeName,
                rows: { request, target, pageSize in
                    await tables.answer(request, at: target, for: DataPageCaller(pageSize: pageSize))
                        ?? RouteResponse(ErrorBody.unknownPath(in: .v2))
                },
                tables: { [configuration] in
                    store.tables().filter(settings.serves).map { Self.pageTable($0, configuration) }
                },
                secret: { () async throws(TableError) in try await store.continuationKey() })
            parts.isForEverybody = configuration.isPageEnabled == true
            parts.publicURL = settings.publicURL
            parts.proxies = settings.proxies
            parts.isTest = configuration.isTest
            let keys = configuration.auth
            parts.signsTokens = keys.signingKey != nil
            parts.takesTokens = parts.signsTokens || !keys.keySources.isEmpty
            if let auth, configuration.auth.hasLocalUsers {
                parts.token = { signIn throws(SignInRefusal) in
                    do throws(LoginRefusal) {
                        return try await auth.adminToken(
                            ofUser: signIn.name, password: signIn.password, from: signIn.address)
                    } catch {
                        throw SignInRefusal(error.response)
                    }
                }
            }
            parts.waitForTurn = { [logins = state.logins] in await logins.waitForTurn(of: $0) }
            parts.record = state.page.record
            parts.log = state.page.log
            parts.health = { await HealthReading(of: metrics) }
            parts.devices = configuration.recordsDevices ? store : nil
            parts.values = { await tables.frequentValues(of: $1, in: $0, under: $2, includingDeleted: $3) }
            if let census = metrics.census {
                let overview = TableOverview(store, census)
                parts.figures = { await overview.figures() }
            }
            parts.growth = store
            return DataPage(parts)
        }
    }

    private static func pageTable(_ table: Table, _ configuration: Configuration) -> PageTable {
        let defined = configuration.tables.first { $0.name == table.name }
        return PageTable(
            table, access: configuration.access[table.name] ?? AccessRules(),
            behaviours: BehaviourSummary.traits(
                configuration.behaviours[table.name] ?? TableBehaviour(), configuration.webhooks[table.name]),
            indexes: defined?.indexes ?? [], warnings: [])
    }
}

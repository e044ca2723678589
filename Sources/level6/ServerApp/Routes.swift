import AdminAPI
import AuthAPI
import CustomAPI
import DataPage
import ServerMetrics
import TableAPI
import Tables
import ZumoProtocol

/// All routes, the most frequently used first. A new route is a line here.
enum Routes {
    /// - Parameters:
    ///   - apis: the APIs below `/api`.
    ///   - auth: answers logins; nil if there are none.
    ///   - registry: the clients' registrations for push messages.
    ///   - isLimited: whether callers are rate-limited.
    ///   - isTest: whether this is a test server.
    ///   - page: creates the data page for the tables; nil for none.
    ///   - chain: the application through which requests get to the routes; nil for none.
    ///   - metrics: returns the page for `/metrics`.
    ///   - keyless: returns those whose tokens can't be verified for lack of a usable key.
    ///   - scriptsFail: returns whether no script can be run at the moment.
    static func all(
        over store: any TableStore, _ settings: TableSettings, apis: [APIDefinition] = [], auth: AuthRouter? = nil,
        registry: PushRegistry = PushRegistry(), isLimited: Bool = false, isTest: Bool = false,
        page: ((TableRouter) -> DataPage)? = nil, chain: MiddlewareRouter.Application? = nil, metrics: ServerMetrics,
        keyless: @escaping @Sendable () -> [String] = { [] }, scriptsFail: @escaping @Sendable () -> Bool = { false }
    ) -> [any Route] {
        let (callers, generations) = (settings.callers, settings.generations)
        let tables = TableRouter(store: store, settings: settings)
        let served = APIRouter(apis, operations: tables.operations, callers: callers, generations: generations)
        let chained: [any Route] =
            chain.map { chain in
                [.tables, .api, .other].map { group in
                    MiddlewareRouter(
                        group, through: chain, to: [tables, served], operations: tables.operations, callers: callers,
                        generations: generations, unfold: { await tables.unfolded($0, at: $1, for: $2) })
                }
            } ?? []
        let routes: [any Route] =
            chained + [
                tables, served,
                PushRouter(
                    registry, callers: callers, generations: generations, publicURL: settings.publicURL,
                    proxies: settings.proxies),
                auth ?? NoLogins() as any Route,
                AdminRouter(
                    store: store, product: Release.name, isTest: isTest, keyless: keyless, scriptsFail: scriptsFail),
                ServicesStatus(store: store, callers: callers, product: Release.name),
                MetricsPage(callers: callers) { await metrics.page() },
            ] + (page.map { [$0(tables)] } ?? [])
        return routes + [
            OpenAPIRouter(
                callers: callers, generations: generations, publicURL: settings.publicURL, proxies: settings.proxies,
                product: (name: "zumod", version: Release.version), describing: routes,
                isLimited: isLimited || callers.userLimit != nil)
        ]
    }
}

import Access
import CustomAPI
import HTTPModel
import JSONText
import Scripts
import ServerConfiguration
import ServerLogging
import TableAPI
import TableOperations
import Tables

/// The scripts of a configuration, as needed by tables and APIs.
struct ScriptParts {
    let tables: ScriptedTables
    let apis: [APIDefinition]
    /// The project's own application, if requests have to pass through it.
    let chain: MiddlewareRouter.Application?

    /// - Returns: nil if there are none.
    init?(_ configuration: Configuration, over database: Database, _ logger: Log) {
        guard let host = configuration.scripts else { return nil }
        host.serve { line in logger.report(line) }
        let services = Self.services(over: database, logger)
        tables = ScriptedTables(host, services)
        let answering = ScriptedAPIs(host, services)
        apis = host.inventory.apis.map { api in
            var definition = Self.definition(of: api, answering)
            // The SDK's router passed such a request on, and nothing after it answered.
            definition.hidesOtherVerbs = host.project.form == .app
            return definition
        }
        chain = host.inventory.hasChain ? Self.chain(ScriptedApplication(host, services), of: host.inventory) : nil
    }

    /// Returns what scripts may request from the server.
    static func services(over database: Database, _ logger: Log) -> ScriptServices {
        ScriptServices(
            sql: { text, parameters, generation, isOperators in
                await ScriptSQL(store: database.store).reply(to: text, parameters, generation, isOperators: isOperators)
            },
            push: { service, message in ScriptPush.take(message, for: service, logger) })
    }

    private static func chain(
        _ application: ScriptedApplication, of inventory: ScriptInventory
    ) -> MiddlewareRouter.Application {
        MiddlewareRouter.Application(
            tables: inventory.tables.map(\.name), apis: inventory.apis.map(\.name)
        ) { passage in
            let answer = try await application.answer(
                passage.request, caller: passage.caller, tables: passage.tables, passage.currentRequest
            ) { errand, call in
                let response = await passage.serve(errand.request, errand.caller, call)
                let body = errand.wantsBody ? response.body.joined ?? [] : nil
                return .served(response.status, response.fields, body: body)
            }
            switch answer {
            case .none: return .left
            case .kept(let status, let fields): return .kept(status, Self.fields(fields))
            case .whole(let answer):
                return .answered(HTTPResponse(answer.status, fields: Self.fields(answer.fields), body: answer.body))
            }
        }
    }

    private static func fields(_ pairs: [(name: String, value: String)]) -> HTTPFields {
        var fields = HTTPFields()
        for pair in pairs {
            guard let name = HTTPFieldName(pair.name), !name.framesMessages else { continue }
            fields.append(named: name, pair.value)
        }
        return fields
    }

    private static func definition(of api: ScriptedAPI, _ scripts: ScriptedAPIs) -> APIDefinition {
        var definition = APIDefinition(api.name)
        let handler: APIDefinition.Handler = { request in
            let answer = try await scripts.answer(
                api, path: request.path, body: request.body, caller: request.caller,
                tables: request.tables.withoutHooks, of: request.currentRequest)
            return APIResponse(answer.status, fields: Self.fields(answer.fields), body: answer.body)
        }
        for (verb, access) in api.verbs {
            // An unknown level admits no one.
            let level = AccessLevel(rawValue: access) ?? .disabled
            switch verb {
            case "get": definition.get(access: level, handler)
            case "post": definition.post(access: level, handler)
            case "put": definition.put(access: level, handler)
            case "patch": definition.patch(access: level, handler)
            case "delete": definition.delete(access: level, handler)
            default: continue
            }
        }
        return definition
    }
}

/// Accepts push messages of scripts: they are only logged, as Azure's service no longer exists.
enum ScriptPush {
    static func take(_ message: JSONValue, for service: String, _ logger: Log) -> ScriptReply {
        let text = String(decoding: message.jsonBytes.prefix(4096), as: UTF8.self)
        logger.notice("a script sends a push message", members: ["service": "\(service)", "message": "\(text)"])
        return .pushed(["isSuccessful": true])
    }
}

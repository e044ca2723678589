import Dispatch
import Exchanges
import HTTPModel
import JSONText
import Scalars
import ServerApp
import TableOperations
import Tables
import WorkThreads
import ZumoProtocol

/// What tests ask of a world, below `/_test`. No key is required: anyone who can reach the server may.
struct TestControl: Sendable {
    private let worlds: Worlds
    private let publicURL: String?
    private let proxies: TrustedProxies

    init(_ worlds: Worlds, publicURL: String?, proxies: TrustedProxies) {
        self.worlds = worlds
        self.publicURL = publicURL
        self.proxies = proxies
    }

    /// Answers a request whose path begins with `_test`.
    func respond(to request: HTTPRequest, at target: RequestTarget, in world: World) async -> HTTPResponse {
        let path = Array(target.segments.dropFirst())
        do throws(ControlFault) {
            switch path.first {
            case nil: return try overview(of: world, request)
            case "clock" where path.count == 1: return ClockRoute(world.clock).answer(request)
            case "faults":
                let routes = FaultRoutes(world.faults, isRoot: world.name == nil)
                if let answer = routes.answer(request, rest: path.dropFirst()) { return answer }
            case "requests":
                let record = try recorded(of: world, by: target)
                if let answer = await Self.recorded(record, request, target, path) { return answer }
            case "replay" where path.count == 1:
                return await replay(request, at: target, in: world)
            case "reset" where path.count == 1: return try await reset(world, by: request)
            case "snapshots":
                if let answer = try await snapshot(of: world, path.dropFirst(), request) { return answer }
            case "worlds" where world.name == nil:
                if let answer = try await aboutWorlds(path.dropFirst(), request) { return answer }
            case "tables" where path.count == 5 && path[2] == "rows" && path[4] == "touch":
                return try await touch(path[1], path[3], of: world, by: request)
            default: break
            }
        } catch {
            return error.response
        }
        return Self.failure(.notFound, .pathUnknown, "There is nothing at this path; docs/testing.md lists what is.")
    }

    /// Sends the requests of an archive, for as long as somebody waits for the outcome.
    private func replay(_ request: HTTPRequest, at target: RequestTarget, in world: World) async -> HTTPResponse {
        let (era, departure) = (world.era, ClientDisconnect.current)
        return await HARReplay.answer(request, at: target) { sent in
            let isWanted = departure?.hasCome != true && !world.isHurried() && world.era == era
            let answer = isWanted ? await world.respond(to: sent) : nil
            return answer?.response
                ?? Self.failure(
                    .serviceUnavailable, .notReady, "The replay was given up: nobody waits, or the world was reset.")
        }
    }

    /// What went wrong with what a test asked for.
    enum ControlFault: Error {
        case request(RecordFault)
        case database(TableError)
        case rows(RowsError)
        case refused(HTTPStatus, ErrorCode, String)

        var response: HTTPResponse {
            switch self {
            case .request(let fault): fault.response
            case .refused(let status, let code, let text): TestControl.failure(status, code, text)
            case .database(let error):
                TestControl.failure(.serviceUnavailable, .databaseAway, "The database did not do it: \(error.detail)")
            case .rows(.noTable(let name)):
                TestControl.failure(.notFound, .tableUnknown, "There is no table '\(ErrorBody.excerpt(name))'.")
            case .rows(.noRow): TestControl.failure(.notFound, .rowNotFound, "There is no such row.")
            case .rows(let error):
                TestControl.failure(
                    .badRequest, .bodyMalformed, "The row can't be written: \(ThrownError.words(error))")
            }
        }
    }

    /// A failure as programs of every generation read it.
    static func failure(
        _ status: HTTPStatus, _ code: ErrorCode, _ text: String, retryAfter: Int? = nil
    ) -> HTTPResponse {
        ErrorResponse(status, code, text, retryAfter: retryAfter).response(in: .v2)
    }

    private func require(_ method: HTTPMethod, _ request: HTTPRequest) throws(ControlFault) {
        guard request.method == method else { throw .request(.method(allow: method.name)) }
    }

    private func members(of request: HTTPRequest) throws(ControlFault) -> JSONMembers {
        do throws(RecordFault) { return try JSONMembers(of: request.body) } catch { throw .request(error) }
    }

    // MARK: Worlds

    private func overview(of world: World, _ request: HTTPRequest) throws(ControlFault) -> HTTPResponse {
        guard [.get, .head].contains(request.method) else { throw .request(.method(allow: "GET, HEAD")) }
        return Self.json(.ok) { json in
            json.raw("{\"url\":")
            json.string(base(of: request) + request.basePath)
            json.raw(",\"now\":")
            json.string(world.clock.now().wireText)
            json.raw(",\"worlds\":")
            json.integer(Int64(worlds.names.count))
            json.raw(",\"faults\":")
            json.integer(Int64(world.faults.rules.count))
            json.raw("}")
        }
    }

    private func aboutWorlds(
        _ rest: ArraySlice<String>, _ request: HTTPRequest
    ) async throws(ControlFault) -> HTTPResponse? {
        guard rest.count <= 1 else { return nil }
        switch (request.method, rest.first) {
        case (.get, nil), (.head, nil):
            return Self.json(.ok) { json in
                json.raw("{\"worlds\":[")
                for (index, name) in worlds.names.enumerated() {
                    if index > 0 { json.raw(",") }
                    append(name, request, to: &json)
                }
                json.raw("]}")
            }
        case (.post, nil):
            let made = try await make(request)
            return Self.json(.created) { append(made.name ?? "", request, to: &$0) }
        case (.get, let name?), (.head, let name?):
            guard worlds.world(name) != nil else { throw Self.noWorld }
            return Self.json(.ok) { append(name, request, to: &$0) }
        case (.delete, let name?):
            guard await worlds.end(name) else { throw Self.noWorld }
            return HTTPResponse(.noContent)
        default: throw .request(.method(allow: rest.isEmpty ? "GET, HEAD, POST" : "GET, HEAD, DELETE"))
        }
    }

    private static let noWorld = ControlFault.refused(.notFound, .pathUnknown, "There is no world of this name.")

    private func make(_ request: HTTPRequest) async throws(ControlFault) -> World {
        var members = try members(of: request)
        let (name, snapshot): (String?, String?)
        let beginning: World.Beginning
        do throws(RecordFault) {
            name = try members.text("name")
            snapshot = try members.text("snapshot")
            beginning = try World.Beginning(&members)
            try members.end()
        } catch {
            throw .request(error)
        }
        do throws(Worlds.Fault) {
            return try await worlds.make(name, beginning, from: snapshot)
        } catch {
            switch error {
            case .nameInvalid:
                throw .refused(
                    .badRequest, .bodyMalformed, "'name' has to be of 1 to 64 letters, digits, hyphens and underscores."
                )
            case .nameTaken: throw .refused(.conflict, .idTaken, "There is a world of this name; DELETE ends it.")
            case .tooMany:
                throw .refused(
                    .tooManyRequests, .tooManyRequests, "There are \(Worlds.maximumCount) worlds already; end some.")
            case .unknownSnapshot: throw Self.noSnapshot
            case .database(let error): throw .database(error)
            }
        }
    }

    private func append(_ name: String, _ request: HTTPRequest, to json: inout JSONWriter) {
        json.raw("{\"name\":")
        json.string(name)
        json.raw(",\"url\":")
        json.string("\(base(of: request))/w/\(name)")
        json.raw("}")
    }

    /// The address of the world without a name.
    private func base(of request: HTTPRequest) -> String {
        var request = request
        request.basePath = ""
        return PublicAddress(request, publicURL: publicURL, trusting: proxies).base
    }

    /// The record that is meant: this world's, or by `?world=NAME` another's.
    private func recorded(of world: World, by target: RequestTarget) throws(ControlFault) -> ExchangeRecord {
        guard let name = target.query.last(where: { $0.name == "world" })?.value, world.name == nil else {
            return world.record
        }
        guard let other = worlds.world(name) else { throw Self.noWorld }
        return other.record
    }

    // MARK: One world

    /// Beside the event loops: an archive of a full record takes its time.
    private static func recorded(
        _ record: ExchangeRecord, _ request: HTTPRequest, _ target: RequestTarget, _ path: [String]
    ) async -> HTTPResponse? {
        await withCheckedContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                let routes = RecordRoutes(record, name: "zumod", version: Release.version)
                continuation.resume(returning: routes.answer(request, at: target, rest: path.dropFirst()))
            }
        }
    }

    private func reset(_ world: World, by request: HTTPRequest) async throws(ControlFault) -> HTTPResponse {
        try require(.post, request)
        var members = try members(of: request)
        let beginning: World.Beginning
        let isOther = !members.rest.isEmpty
        do throws(RecordFault) {
            beginning = try World.Beginning(&members)
            try members.end()
        } catch {
            throw .request(error)
        }
        try await stored { () async throws(TableError) in try await world.reset(isOther ? beginning : nil) }
        return HTTPResponse(.noContent)
    }

    private static let noSnapshot = ControlFault.refused(.notFound, .pathUnknown, "There is no snapshot of this name.")

    private func snapshot(
        of world: World, _ rest: ArraySlice<String>, _ request: HTTPRequest
    ) async throws(ControlFault) -> HTTPResponse? {
        let rest = Array(rest)
        switch (request.method, rest.count) {
        case (.get, 0), (.head, 0):
            return Self.json(.ok) { json in
                json.raw("{\"snapshots\":")
                json.value(.array(world.snapshotNames.map(JSONValue.string)))
                json.raw("}")
            }
        case (.post, 1), (.put, 1):
            guard rest[0].utf8.count <= 100 else {
                throw .refused(.badRequest, .bodyMalformed, "A snapshot's name has at most 100 bytes.")
            }
            guard try await stored({ () async throws(TableError) in try await world.save(rest[0]) }) else {
                throw .refused(
                    .tooManyRequests, .tooManyRequests,
                    "There are \(World.maximumSnapshots) snapshots already; delete some.")
            }
            return HTTPResponse(.created)
        case (.delete, 1):
            guard await world.forget(rest[0]) else { throw Self.noSnapshot }
            return HTTPResponse(.noContent)
        case (.post, 2) where rest[1] == "restore":
            guard try await stored({ () async throws(TableError) in try await world.restore(rest[0]) }) else {
                throw Self.noSnapshot
            }
            return HTTPResponse(.noContent)
        default: return nil
        }
    }

    private func stored<Result>(
        _ call: () async throws(TableError) -> Result
    ) async throws(ControlFault) -> Result {
        do throws(TableError) { return try await call() } catch { throw .database(error) }
    }

    private func touch(
        _ table: String, _ id: String, of world: World, by request: HTTPRequest
    ) async throws(ControlFault) -> HTTPResponse {
        try require(.post, request)
        let members = try members(of: request).rest
        guard let columns = Record(json: members) else {
            throw .request(.body("A column's value can't be an array or an object."))
        }
        let isDelete = members == [JSONMember("deleted", true)]
        let row: Record
        do throws(RowsError) {
            row = isDelete ? try await world.delete(table, id) : try await world.touch(table, id, columns)
        } catch {
            throw .rows(error)
        }
        return Self.json(.ok) { row.append(to: &$0) }
    }

    private static func json(_ status: HTTPStatus, _ write: (inout JSONWriter) -> Void) -> HTTPResponse {
        var json = JSONWriter()
        write(&json)
        return .testJSON(status, json.bytes)
    }
}

extension World.Beginning {
    /// Reads what a test says about a world's start.
    fileprivate init(_ members: inout JSONMembers) throws(RecordFault) {
        seed = try members.whole("seed", in: 0...Int64.max).map { UInt64($0) }
        isFrozen = try members.boolean("frozen") ?? false
        guard let text = try members.text("clock") else { return }
        guard let instant = Instant(text), TestClock.range.contains(instant.milliseconds) else {
            throw .body("'clock' has to be a time such as 2026-01-31T12:00:00.000Z.")
        }
        clock = instant
    }
}

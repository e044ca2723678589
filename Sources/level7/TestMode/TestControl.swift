import Dispatch
import Exchanges
import HTTPModel
import JSONText
import Operating
import Scalars
import ServerApp
import TableOperations
import Tables
import WorkThreads
import ZumoProtocol

/// The routes below `/_test`, by which tests control a world. No key is required: whoever can reach the server may.
struct TestControl: Sendable {
    let worlds: Worlds
    let publicURL: String?
    let proxies: TrustedProxies

    /// Answers a request whose path begins with `_test`.
    func respond(to request: HTTPRequest, at target: RequestTarget, in world: World) async -> HTTPResponse {
        let path = Array(target.segments.dropFirst())
        do throws(RecordFault) {
            switch path.first {
            case nil: return try overview(of: world, request)
            case "clock" where path.count == 1: return try ClockRoute(clock: world.clock).answer(request)
            case "faults":
                let routes = FaultRoutes(plan: world.faults, isRoot: world.name == nil)
                if let answer = try routes.answer(request, rest: path.dropFirst()) { return answer }
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

    /// Sends the requests of an archive for as long as the client waits for the result.
    private func replay(_ request: HTTPRequest, at target: RequestTarget, in world: World) async -> HTTPResponse {
        let (era, disconnect) = (world.era, ClientDisconnect.current)
        return await HARReplay.answer(request, at: target) { sent in
            let isWanted = disconnect?.hasCome != true && !world.isHurried() && world.era == era
            let answer = isWanted ? await world.respond(to: sent) : nil
            return answer?.response
                ?? Self.failure(
                    .serviceUnavailable, .notReady, "The replay was given up: nobody waits, or the world was reset.")
        }
    }

    /// A failure in a form that clients of every generation can read.
    static func failure(
        _ status: HTTPStatus, _ code: ErrorCode, _ text: String, retryAfter: Int? = nil
    ) -> HTTPResponse {
        ErrorResponse(status, code, text, retryAfter: retryAfter).response(in: .v2)
    }

    private func require(_ method: HTTPMethod, _ request: HTTPRequest) throws(RecordFault) {
        guard request.method == method else { throw .method(allow: method.name) }
    }

    // MARK: Worlds

    private func overview(of world: World, _ request: HTTPRequest) throws(RecordFault) -> HTTPResponse {
        guard [.get, .head].contains(request.method) else { throw .method(allow: "GET, HEAD") }
        return .testJSON(
            .ok,
            [
                "url": .string(base(of: request) + request.basePath), "now": .string(world.clock.now().wireText),
                "worlds": JSONValue(worlds.names.count), "faults": JSONValue(world.faults.rules.count),
            ])
    }

    private func aboutWorlds(
        _ rest: ArraySlice<String>, _ request: HTTPRequest
    ) async throws(RecordFault) -> HTTPResponse? {
        guard rest.count <= 1 else { return nil }
        switch (request.method, rest.first) {
        case (.get, nil), (.head, nil):
            return .testJSON(.ok, ["worlds": .array(worlds.names.map { json(of: $0, request) })])
        case (.post, nil):
            return .testJSON(.created, json(of: try await make(request).name ?? "", request))
        case (.get, let name?), (.head, let name?):
            guard worlds.world(name) != nil else { throw Self.noWorld }
            return .testJSON(.ok, json(of: name, request))
        case (.delete, let name?):
            guard await worlds.end(name) else { throw Self.noWorld }
            return HTTPResponse(.noContent)
        default: throw .method(allow: rest.isEmpty ? "GET, HEAD, POST" : "GET, HEAD, DELETE")
        }
    }

    private static let noWorld = RecordFault.unknown("There is no world of this name.")

    private func make(_ request: HTTPRequest) async throws(RecordFault) -> World {
        var members = try JSONMembers(of: request.body)
        let (name, snapshot) = (try members.text("name"), try members.text("snapshot"))
        let beginning = try World.Beginning(&members)
        try members.end()
        return try await worlds.make(name, beginning, from: snapshot)
    }

    private func json(of name: String, _ request: HTTPRequest) -> JSONValue {
        ["name": .string(name), "url": "\(base(of: request))/w/\(name)"]
    }

    /// The address of the unnamed world.
    private func base(of request: HTTPRequest) -> String {
        var request = request
        request.basePath = ""
        return PublicAddress(request, publicURL: publicURL, trusting: proxies).base
    }

    /// The record that is meant: this world's, or with `?world=NAME` that of another.
    private func recorded(of world: World, by target: RequestTarget) throws(RecordFault) -> ExchangeRecord {
        guard let name = target.query.last(where: { $0.name == "world" })?.value, world.name == nil else {
            return world.record
        }
        guard let other = worlds.world(name) else { throw Self.noWorld }
        return other.record
    }

    // MARK: One world

    /// Runs off the event loops: an archive of a full record takes time.
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

    private func reset(_ world: World, by request: HTTPRequest) async throws(RecordFault) -> HTTPResponse {
        try require(.post, request)
        var members = try JSONMembers(of: request.body)
        let isOther = !members.rest.isEmpty
        let beginning = try World.Beginning(&members)
        try members.end()
        try await RecordFault.asking(await world.reset(isOther ? beginning : nil))
        return HTTPResponse(.noContent)
    }

    static let noSnapshot = RecordFault.unknown("There is no snapshot of this name.")

    private func snapshot(
        of world: World, _ rest: ArraySlice<String>, _ request: HTTPRequest
    ) async throws(RecordFault) -> HTTPResponse? {
        let rest = Array(rest)
        switch (request.method, rest.count) {
        case (.get, 0), (.head, 0):
            return .testJSON(.ok, ["snapshots": JSONValue(world.snapshotNames)])
        case (.post, 1), (.put, 1):
            guard rest[0].utf8.count <= 100 else {
                throw .body("A snapshot's name has at most 100 bytes.")
            }
            guard try await RecordFault.asking(await world.save(rest[0])) else {
                throw .refused(
                    .tooManyRequests, .tooManyRequests,
                    "There are \(World.maximumSnapshots) snapshots already; delete some.")
            }
            return HTTPResponse(.created)
        case (.delete, 1):
            guard await world.forget(rest[0]) else { throw Self.noSnapshot }
            return HTTPResponse(.noContent)
        case (.post, 2) where rest[1] == "restore":
            guard try await RecordFault.asking(await world.restore(rest[0])) else { throw Self.noSnapshot }
            return HTTPResponse(.noContent)
        default: return nil
        }
    }

    private func touch(
        _ table: String, _ id: String, of world: World, by request: HTTPRequest
    ) async throws(RecordFault) -> HTTPResponse {
        try require(.post, request)
        let members = try JSONMembers(of: request.body).rest
        guard let columns = Record(json: members) else {
            throw .body("A column's value can't be an array or an object.")
        }
        let isDelete = members == [JSONMember("deleted", true)]
        let row: Record
        do throws(RowsError) {
            row = isDelete ? try await world.delete(table, id) : try await world.touch(table, id, columns)
        } catch {
            throw RecordFault(error)
        }
        var json = JSONWriter()
        row.append(to: &json)
        return .testJSON(.ok, json.bytes)
    }
}

extension World.Beginning {
    /// Reads how a world should start.
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

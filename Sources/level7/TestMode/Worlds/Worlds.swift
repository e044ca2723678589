import ByteText
import HTTPModel
import Operating
import Synchronization
import Tables
import ZumoProtocol

/// The worlds of a test server: the unnamed one, and those that tests create.
final class Worlds: Sendable {
    let root: World
    private let factory: WorldFactory
    private let named = Mutex(Named())

    private struct Named {
        var worlds: [String: World] = [:]
        /// The names of worlds that are being created.
        var reserved: Set<String> = []
        var count = 0
    }

    /// The maximum number of worlds.
    static let maximumCount = 256
    private static let maximumNameLength = 64

    /// Starts with the unnamed world.
    init(_ factory: WorldFactory) async throws(TableError) {
        self.factory = factory
        root = try await World(nil, from: try await factory.beginning(), World.Beginning(), in: factory)
    }

    /// Creates a world.
    /// - Parameters:
    ///   - name: the name; nil to generate one.
    ///   - snapshot: the snapshot of the unnamed world to start from.
    func make(
        _ name: String?, _ beginning: World.Beginning, from snapshot: String?
    ) async throws(RecordFault) -> World {
        let name = try reserve(name)
        defer { _ = named.withLock { $0.reserved.remove(name) } }
        var kept: WorldDatabases.State?
        if let snapshot {
            kept = root.state(of: snapshot)
            if kept == nil { throw TestControl.noSnapshot }
        }
        let state =
            if let kept { kept } else {
                try await RecordFault.asking(await factory.beginning(at: beginning.clock))
            }
        let world = try await RecordFault.asking(await World(name, from: state, beginning, in: factory))
        named.withLock { $0.worlds[name] = world }
        return world
    }

    private func reserve(_ wish: String?) throws(RecordFault) -> String {
        if let wish, !Self.isName(wish) {
            throw .body("'name' has to be of 1 to 64 letters, digits, hyphens and underscores.")
        }
        return try named.withLock { named throws(RecordFault) in
            guard named.worlds.count + named.reserved.count < Self.maximumCount else {
                throw .refused(
                    .tooManyRequests, .tooManyRequests, "There are \(Self.maximumCount) worlds already; end some.")
            }
            if let wish {
                guard named.worlds[wish] == nil, named.reserved.insert(wish).inserted else {
                    throw .refused(.conflict, .idTaken, "There is a world of this name; DELETE ends it.")
                }
                return wish
            }
            while true {
                named.count += 1
                let name = "w\(named.count)"
                if named.worlds[name] == nil, named.reserved.insert(name).inserted { return name }
            }
        }
    }

    private static func isName(_ text: String) -> Bool {
        (1...maximumNameLength).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "-_".utf8.contains($0) }
    }

    /// Returns the world of a name; nil if there is none.
    func world(_ name: String) -> World? {
        named.withLock { $0.worlds[name] }
    }

    /// The names of all named worlds.
    var names: [String] { named.withLock { $0.worlds.keys.sorted() } }

    /// Ends a world, once the requests in progress in it are done.
    /// - Returns: false if there is no world of that name.
    func end(_ name: String) async -> Bool {
        guard let world = named.withLock({ $0.worlds.removeValue(forKey: name) }) else { return false }
        await world.end()
        return true
    }

    /// Ends all deliberate waits, since the server is stopping.
    func hurry() {
        factory.hurry()
    }

    /// Ends all worlds.
    func close() async {
        for name in names { _ = await end(name) }
        await root.end()
        await factory.close()
    }
}

import ByteText
internal import JSONText
import Synchronization
import Tables

/// The push registrations of clients, in memory: nothing is ever sent, but clients check what they have registered and
/// must not fail doing so.
public final class PushRegistry: Sendable {
    /// The maximum number of installations, and of registrations; the oldest ones are dropped first.
    public static let maximumEntries = 1_000
    /// The maximum size of an entry's body in bytes; of a larger one, only the id is kept.
    public static let maximumBodyBytes = 16 * 1_024

    /// An entry with its id.
    struct Entry {
        let id: String
        let body: JSONValue

        /// Where messages would go (`pushChannel` in v2, `deviceId` in v1).
        var channel: String? { (body["pushChannel"] ?? body["deviceId"])?.textValue }
    }

    private struct State {
        var installations: [Entry] = []
        var registrations: [Entry] = []
    }

    private let state: Mutex<State>

    /// Creates a registry with a copy of another's entries, or an empty one.
    public init(copyOf other: PushRegistry? = nil) {
        state = Mutex(other?.state.withLock { $0 } ?? State())
    }

    func installation(_ id: String) -> Entry? {
        state.withLock { $0.installations.first { Self.isSame($0.id, id) } }
    }

    func setInstallation(_ id: String, _ body: [UInt8]) {
        let entry = Entry(id: id, body: Self.kept(body))
        state.withLock { Self.put(entry, in: &$0.installations) }
    }

    func removeInstallation(_ id: String) {
        state.withLock { state in state.installations.removeAll { Self.isSame($0.id, id) } }
    }

    func removeAll(ofChannel channel: String) {
        state.withLock { state in
            state.installations.removeAll { $0.channel.isExactly(channel) }
            state.registrations.removeAll { $0.channel.isExactly(channel) }
        }
    }

    /// Adds an empty registration (v1).
    /// - Returns: its id.
    func newRegistration() -> String {
        let entry = Entry(id: RandomID.make(), body: .object([]))
        state.withLock { Self.put(entry, in: &$0.registrations) }
        return entry.id
    }

    /// - Returns: false if the registration no longer exists.
    func setRegistration(_ id: String, _ body: [UInt8]) -> Bool {
        let entry = Entry(id: id, body: Self.kept(body))
        return state.withLock { state in
            guard state.registrations.contains(where: { $0.id.isExactly(id) }) else { return false }
            Self.put(entry, in: &state.registrations)
            return true
        }
    }

    func removeRegistration(_ id: String) {
        state.withLock { state in state.registrations.removeAll { $0.id.isExactly(id) } }
    }

    /// Returns the registrations of a device, for one platform or all.
    func registrations(ofDevice device: String, platform: String?) -> [Entry] {
        state.withLock { state in
            state.registrations.filter {
                $0.channel.isExactly(device) && (platform == nil || $0.body["platform"]?.textValue == platform)
            }
        }
    }

    private static func put(_ entry: Entry, in entries: inout [Entry]) {
        entries.removeAll { isSame($0.id, entry.id) }
        if entries.count >= maximumEntries { entries.removeFirst() }
        entries.append(entry)
    }

    /// Compares ids of installations without regard to case, as some clients write them in capitals.
    private static func isSame(_ one: String, _ other: String) -> Bool {
        one.lowercased().isExactly(other.lowercased())
    }

    private static func kept(_ body: [UInt8]) -> JSONValue {
        guard body.count <= maximumBodyBytes, let value = try? JSONReader.parse(body), case .object = value else {
            return .object([])
        }
        return value
    }
}

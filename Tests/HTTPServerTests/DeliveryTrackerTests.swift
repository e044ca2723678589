import HTTPModel
import Platform
import Testing

@testable import HTTPServer

@Suite("What is known of answers that were sent")
struct DeliveryTrackerTests {
    @Test func `bytes beside an answer that has arrived take nothing from it when they can't be sent`() throws {
        let pair = try LoopbackPair()
        let tracker = DeliveryTracker(pair.server, isSecured: false)
        let ticket = tracker.begin()
        #expect(tracker.willSend(pair.pass(3), isPart: false))
        // A 100, or the refusal of what no handler was given.
        #expect(tracker.willSend(25, isPart: false))
        tracker.didCut()
        #expect(!ticket.giveUp())
        tracker.end()
        #expect(!ticket.giveUp())
    }

    @Test func `an answer whose rest can't be sent is lost`() throws {
        let pair = try LoopbackPair()
        let tracker = DeliveryTracker(pair.server, isSecured: false)
        let ticket = tracker.begin()
        #expect(tracker.willSend(pair.pass(3), isPart: true))
        #expect(tracker.willSend(25, isPart: false))
        tracker.didCut()
        tracker.end()
        #expect(ticket.giveUp())
    }

    @Test func `an answer behind bytes of none has arrived with its own last byte`() throws {
        let pair = try LoopbackPair()
        let tracker = DeliveryTracker(pair.server, isSecured: false)
        #expect(tracker.willSend(pair.pass(25), isPart: false))
        let ticket = tracker.begin()
        #expect(tracker.willSend(pair.pass(3), isPart: false))
        #expect(!ticket.giveUp())
        tracker.end()
        #expect(!ticket.giveUp())
    }
}

/// The two ends of a TCP connection of this machine.
private final class LoopbackPair {
    let server: Int32
    private let client: Int32

    struct Failure: Error {}

    init() throws {
        let listener = Sockets.open(AF_INET, .stream, blocking: true)
        defer { close(listener) }
        client = Sockets.open(AF_INET, .stream, blocking: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = unsafe withUnsafeMutablePointer(to: &address) { [client] in
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, $0, &size) == 0 && connect(client, $0, size) == 0
            }
        }
        server = Platform.accept(listener, nil, nil)
        guard isConnected, server >= 0 else { throw Failure() }
    }

    deinit {
        close(server)
        close(client)
    }

    /// Sends so many bytes to the client, which takes them.
    func pass(_ count: Int) -> Int {
        var bytes = [UInt8](repeating: 0, count: count)
        let sent = unsafe send(server, bytes, count, 0)
        let taken = unsafe recv(client, &bytes, count, Int32(MSG_WAITALL))
        #expect(sent == count && taken == count)
        return count
    }
}

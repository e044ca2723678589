import Platform
import Testing

/// Both ways of waiting, by the same rules.
@Suite("Waiting for descriptors", .serialized)
struct PollerTests {
    private static let kinds: [Poller.Kind] = [.best, .portable]

    @Test(arguments: kinds)
    func `what is ready is told until it is taken`(kind: Poller.Kind) throws {
        let poller = try Waiting(kind)
        #expect(poller.kind == kind)
        let pair = try Pair()
        #expect(poller.add(pair.near, for: .reading))
        #expect(poller.wait(milliseconds: 0) == 0)
        pair.send(3)
        for _ in 0..<2 {
            #expect(poller.wait(milliseconds: 1_000) == 1)
            #expect(poller.ready(at: 0) == pair.near && poller.leave(at: 0) == .none)
        }
        pair.take(3)
        #expect(poller.wait(milliseconds: 0) == 0)
        #expect(poller.change(pair.near, to: .writing))
        #expect(poller.wait(milliseconds: 0) == 1)
        poller.remove(pair.near)
        #expect(poller.wait(milliseconds: 0) == 0)
    }

    @Test(arguments: kinds)
    func `who waits for the other side's leave alone hears of nothing else`(kind: Poller.Kind) throws {
        let poller = try Waiting(kind)
        let pair = try Pair()
        #expect(poller.add(pair.near, for: .leaving))
        pair.send(3)
        #expect(poller.wait(milliseconds: 0) == 0)
        pair.shutSending()
        #expect(poller.wait(milliseconds: 1_000) == 1)
        #expect(poller.leave(at: 0) == .sending)
        pair.closeFar()
        #expect(poller.wait(milliseconds: 1_000) == 1)
        #expect(poller.leave(at: 0) == .gone)
    }

    @Test(arguments: kinds)
    func `many descriptors come and go in any order`(kind: Poller.Kind) throws {
        let poller = try Waiting(kind)
        var pairs = try (0..<40).map { _ in try Pair() }
        for pair in pairs { #expect(poller.add(pair.near, for: .reading)) }
        for pair in pairs { pair.send(1) }
        while !pairs.isEmpty {
            let count = poller.wait(milliseconds: 1_000)
            let ready = Set((0..<count).map { poller.ready(at: $0) })
            #expect(ready == Set(pairs.map(\.near)))
            // Every third, and the numbers are given to others at once.
            for index in stride(from: pairs.count - 1, through: 0, by: -3) {
                poller.willClose(pairs[index].near)
                pairs.remove(at: index)
            }
            let stranger = try Pair()
            stranger.send(1)
            #expect(poller.wait(milliseconds: 0) == pairs.count)
        }
    }

    @Test(arguments: kinds)
    func `a loop is woken once by many signals, and again by the next`(kind: Poller.Kind) throws {
        let poller = try Waiting(kind)
        guard let wakeup = Wakeup(kind) else { throw Waiting.NoDescriptor() }
        let number = wakeup.number
        #expect(poller.add(number, for: .reading))
        for _ in 0..<3 {
            #expect(poller.wait(milliseconds: 0) == 0)
            // More than a pipe takes.
            for _ in 0..<100_000 { wakeup.signal() }
            #expect(poller.wait(milliseconds: 1_000) == 1)
            wakeup.clear()
        }
    }

    @Test func `a look at what comes next tells how far the other side has gone`() throws {
        let pair = try Pair()
        #expect(Sockets.leave(of: pair.near) == .none)
        pair.send(1)
        pair.shutSending()
        // Its last byte comes first.
        #expect(Sockets.leave(of: pair.near) == .none)
        #expect(Sockets.hasShutSending(pair.near))
        pair.take(1)
        #expect(Sockets.leave(of: pair.near) == .sending)
        let broken = try Pair()
        #expect(unsafe write(broken.near, "a", 1) == 1)
        broken.closeFar()
        #expect(Sockets.leave(of: broken.near) == .gone)
    }

    @Test(arguments: kinds)
    func `what is accepted does not block, and no child inherits it`(kind: Poller.Kind) throws {
        let listener = Sockets.open(AF_INET, .stream, blocking: true)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let client = Sockets.open(AF_INET, .stream, blocking: true)
        defer { close(client) }
        let accepted = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                #expect(unsafe bind(listener, address, length) == 0)
                #expect(listen(listener, 1) == 0)
                #expect(unsafe getsockname(listener, address, &length) == 0)
                #expect(unsafe connect(client, address, length) == 0)
                return unsafe Sockets.accept(listener, kind, address, &length)
            }
        }
        defer { close(accepted) }
        #expect(accepted >= 0)
        #expect(fcntl(accepted, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(accepted, F_GETFD) & FD_CLOEXEC != 0)
    }
}

/// A poller as what `#expect` can look at.
private final class Waiting {
    struct NoDescriptor: Error {}

    private var poller: Poller

    init(_ kind: Poller.Kind) throws {
        guard let poller = Poller(kind) else { throw NoDescriptor() }
        self.poller = consume poller
    }

    var kind: Poller.Kind { poller.kind }
    func add(_ descriptor: Int32, for interest: Poller.Interest) -> Bool { poller.add(descriptor, for: interest) }
    func change(_ descriptor: Int32, to interest: Poller.Interest) -> Bool { poller.change(descriptor, to: interest) }
    func remove(_ descriptor: Int32) { poller.remove(descriptor) }
    func willClose(_ descriptor: Int32) { poller.willClose(descriptor) }
    func wait(milliseconds: Int32) -> Int { poller.wait(milliseconds: milliseconds) }
    func ready(at index: Int) -> Int32 { poller.ready(at: index) }
    func leave(at index: Int) -> Poller.PeerClose { poller.leave(at: index) }
}

/// Two sockets that are connected.
private final class Pair {
    let near: Int32
    private var far: Int32

    init() throws {
        var ends: [Int32] = [-1, -1]
        let made = unsafe socketpair(AF_UNIX, Sockets.Kind.stream.number, 0, &ends)
        try #require(made == 0)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        closeFar()
    }

    func send(_ count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(unsafe write(far, bytes, count) == count)
    }

    func take(_ count: Int) {
        var bytes = [UInt8](repeating: 0, count: count)
        #expect(unsafe read(near, &bytes, count) == count)
    }

    func shutSending() {
        shutdown(far, Int32(SHUT_WR))
    }

    func closeFar() {
        if far >= 0 { close(far) }
        far = -1
    }
}

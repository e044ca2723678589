import Foundation
import Platform
import Synchronization

/// Forwards TCP connections to a server, and can stop doing so without a word, as a network does that drops packets.
public final class FreezingProxy: Sendable {
    /// Where clients connect.
    public let port: UInt16
    private let listener: Int32
    private let target: UInt16
    private let isFrozen = Atomic(false)
    private let isOver = Atomic(false)
    /// How often connections were stranded.
    private let strandings = Atomic(0)

    /// The proxy could not listen.
    public struct Failure: Error {}

    /// - Parameter target: the port of a server on this machine.
    public init(to target: UInt16) throws {
        self.target = target
        let listener = Sockets.open(AF_INET, .stream, blocking: true)
        var address = Self.address(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in accept() }
    }

    /// Lets nothing through from now on, in either direction.
    public func freeze() {
        isFrozen.store(true, ordering: .releasing)
    }

    /// Lets everything through again, what came meanwhile first.
    public func thaw() {
        isFrozen.store(false, ordering: .releasing)
    }

    /// Breaks the connections that there are for the clients, while the server goes on taking them for alive. New ones
    /// are forwarded.
    public func strand() {
        strandings.add(1, ordering: .acquiringAndReleasing)
    }

    /// Ends the proxy and what goes through it.
    public func close() {
        // In this order: who accepts closes the listener once it is over, and its number may be another's then.
        _ = shutdown(listener, Int32(SHUT_RDWR))
        isOver.store(true, ordering: .releasing)
    }

    private func accept() {
        while !isOver.load(ordering: .acquiring) {
            let client = Platform.accept(listener, nil, nil)
            guard client >= 0 else { break }
            let server = Sockets.open(AF_INET, .stream, blocking: true)
            var address = Self.address(target)
            let length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe connect(server, pointer, length) == 0
                }
            }
            guard isConnected else {
                _ = Platform.close(client)
                _ = Platform.close(server)
                continue
            }
            Thread.detachNewThread { [self] in forward(client, server) }
        }
        _ = Platform.close(listener)
    }

    private func forward(_ client: Int32, _ server: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let start = strandings.load(ordering: .acquiring)
        defer {
            _ = Platform.close(client)
            _ = Platform.close(server)
        }
        while !isOver.load(ordering: .acquiring) {
            if strandings.load(ordering: .acquiring) != start {
                _ = shutdown(client, Int32(SHUT_RDWR))
                while !isOver.load(ordering: .acquiring) { usleep(5_000) }
                return
            }
            if isFrozen.load(ordering: .acquiring) {
                usleep(5_000)
                continue
            }
            var sockets = [
                pollfd(fd: client, events: Int16(POLLIN), revents: 0),
                pollfd(fd: server, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&sockets, 2, 50) > 0, !isFrozen.load(ordering: .acquiring) else { continue }
            for (index, other) in [(0, server), (1, client)] where sockets[index].revents != 0 {
                let count = unsafe recv(sockets[index].fd, &bytes, bytes.count, 0)
                guard count > 0 else { return }
                var sent = 0
                while sent < count {
                    let part = unsafe bytes.withUnsafeBytes { buffer in
                        // The buffer is not empty.
                        unsafe send(
                            other, buffer.baseAddress.unsafelyUnwrapped + sent, count - sent, Sockets.sendFlags())
                    }
                    guard part > 0 else { return }
                    sent += part
                }
            }
        }
    }

    private static func address(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}

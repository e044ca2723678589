import Dispatch
import Platform
import Synchronization

/// Informs systemd, or whatever else started the process, of its state: sd_notify(3) by a datagram to the socket in
/// NOTIFY_SOCKET. Without that it does nothing; it never blocks.
final class ServiceManager: Sendable {
    private let socket: Int32
    private let address: sockaddr_un
    private let length: socklen_t
    private let queue = DispatchQueue(label: "zumod.service", qos: .userInitiated)
    private let waiting = Mutex<[String]>([])

    /// How many messages wait if the other side accepts none; beyond that the oldest are dropped.
    private static let mostWaiting = 16
    private static let pause = DispatchTimeInterval.milliseconds(100)

    /// - Parameter path: the path of the socket; a leading `@` makes it an abstract name.
    init?(_ path: String?) {
        guard let path, let first = path.utf8.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@") else {
            return nil
        }
        var bytes = Array(path.utf8)
        if first == UInt8(ascii: "@") { bytes[0] = 0 }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        socket = Sockets.open(AF_UNIX, .datagram, blocking: false)
        guard socket >= 0 else { return nil }
        self.address = address
        length = socklen_t(offset + bytes.count)
    }

    deinit {
        close(socket)
    }

    /// Reports that the server is ready.
    func isReady(_ status: String) { tell("READY=1\nSTATUS=\(Self.line(status))") }

    /// Reports that the configuration is being reread.
    func isReloading() {
        tell("RELOADING=1\nMONOTONIC_USEC=\(Self.microseconds)\nSTATUS=reading the configuration again")
    }

    /// Reports that the server is stopping.
    func isStopping() { tell("STOPPING=1\nSTATUS=letting requests in flight finish") }

    /// Reports that the server is alive. Left out while other messages are waiting.
    func isAlive() {
        if waiting.withLock(\.isEmpty) { tell("WATCHDOG=1") }
    }

    private func tell(_ message: String) {
        waiting.withLock { waiting in
            waiting.append(message)
            if waiting.count > Self.mostWaiting { waiting.removeFirst() }
        }
        queue.async { self.sendAll() }
    }

    private func sendAll() {
        while let message = waiting.withLock(\.first) {
            guard send(message) else {
                queue.asyncAfter(deadline: .now() + Self.pause) { self.sendAll() }
                return
            }
            waiting.withLock { if $0.first == message { $0.removeFirst() } }
        }
    }

    /// - Returns: false if it has to be sent later. A message that can't be sent at all is dropped.
    private func send(_ message: String) -> Bool {
        let bytes = Array(message.utf8)
        var address = address
        let sent = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe sendto(socket, bytes, bytes.count, Sockets.sendFlags(), $0, length)
            }
        }
        return sent >= 0 || ![EAGAIN, ENOBUFS, EINTR].contains(errno)
    }

    private static func line(_ text: String) -> String { text.replacing("\n", with: " ") }

    private static var microseconds: UInt64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}

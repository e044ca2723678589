import Platform
import Synchronization

import class Foundation.Thread

/// A receiver of notices that takes each and answers for ever: a byte of its first line now and then.
final class TricklingReceiver: Sendable {
    let port: Int
    private let listener: Int32
    private let connections = Atomic(0)

    /// How many connections it has taken.
    var count: Int { connections.load(ordering: .relaxed) }

    struct NoSocket: Error {}

    init() throws {
        let descriptor = Sockets.open(AF_INET, .stream, blocking: true)
        listener = descriptor
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard isBound else { throw NoSocket() }
        port = Int(UInt16(bigEndian: address.sin_port))
        let thread = Thread { [self] in run() }
        thread.start()
    }

    /// Takes no more connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func run() {
        while true {
            let descriptor = accept(listener, nil, nil)
            guard descriptor >= 0 else { break }
            connections.add(1, ordering: .relaxed)
            let thread = Thread {
                for byte in "HTTP/1.1 200 O".utf8 + Array(repeating: UInt8(ascii: "K"), count: 3_000) {
                    var byte = byte
                    guard unsafe send(descriptor, &byte, 1, Sockets.sendFlags()) == 1 else { break }
                    usleep(100_000)
                }
                _ = close(descriptor)
            }
            thread.start()
        }
        _ = close(listener)
    }
}

import Foundation
import Platform

/// A server that writes given bytes to one connection after the other, whatever it is asked, and closes it.
final class RawSource: Sendable {
    let port: UInt16
    private let listener: Int32

    struct NoSocket: Error {}

    init(_ answers: [String]) throws {
        let listener = Sockets.open(AF_INET, .stream, blocking: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, address, &size) == 0
            }
        }
        guard isListening else { throw NoSocket() }
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread {
            var rest = answers[...]
            while case let client = accept(listener, nil, nil), client >= 0 {
                var asked = [UInt8](repeating: 0, count: 65_536)
                _ = unsafe recv(client, &asked, asked.count, 0)
                let answer = Array((rest.popFirst() ?? "").utf8)
                _ = unsafe send(client, answer, answer.count, Sockets.sendFlags())
                shutdown(client, Int32(SHUT_RDWR))
                close(client)
            }
            close(listener)
        }
    }

    /// Takes no more connections.
    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }
}

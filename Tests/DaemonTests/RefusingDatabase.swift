import Foundation
import Platform
import Synchronization

/// Speaks PostgreSQL's protocol so far that it asks for a password, and refuses it.
final class RefusingDatabase: Sendable {
    let port: UInt16
    private let listener: Int32
    private let heard = Mutex<[String]>([])

    /// The passwords that came.
    var passwords: [String] { heard.withLock { $0 } }

    struct Failure: Error {}

    init() throws {
        listener = Sockets.open(AF_INET, .stream, blocking: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let (descriptor, length) = (listener, size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(descriptor, address, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isListening else { throw Failure() }
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { break }
                self?.refuse(client)
                close(client)
            }
            close(descriptor)
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func refuse(_ client: Int32) {
        // The startup message, a request for the password in clear, the password, and the error.
        guard message(from: client, typed: false) != nil else { return }
        send([UInt8(ascii: "R"), 0, 0, 0, 8, 0, 0, 0, 3], to: client)
        guard let password = message(from: client, typed: true) else { return }
        heard.withLock { $0.append(String(decoding: password.dropLast(), as: UTF8.self)) }
        let fields = ["SFATAL", "C28P01", "Mpassword authentication failed for user \"zumod\"", ""]
        var body: [UInt8] = []
        for field in fields {
            body += field.utf8
            body.append(0)
        }
        // Shorter than 256 bytes.
        send([UInt8(ascii: "E"), 0, 0, 0, UInt8(body.count + 4)] + body, to: client)
    }

    /// A message without its type and length.
    private func message(from client: Int32, typed: Bool) -> [UInt8]? {
        guard let head = bytes(typed ? 5 : 4, from: client) else { return nil }
        let length = head.suffix(4).reduce(0) { $0 << 8 | Int($1) }
        return length >= 4 && length < 10_000 ? bytes(length - 4, from: client) : nil
    }

    private func bytes(_ count: Int, from client: Int32) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let received = unsafe recv(client, &bytes, count, Int32(MSG_WAITALL))
        return received == count ? bytes : nil
    }

    private func send(_ bytes: [UInt8], to client: Int32) {
        _ = unsafe Platform.send(client, bytes, bytes.count, Sockets.sendFlags())
    }
}

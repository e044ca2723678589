import Platform
import Synchronization
import TLS
import WireTesting

/// A client that sends bytes as they are written here: a helpful library would hide faults.
final class RawClient: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    /// A response, taken apart.
    struct Answer {
        var statusLine: String
        var fields: [String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        subscript(_ name: String) -> String? {
            fields.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
    }

    private let descriptor: Int32
    /// nil for plain HTTP.
    private let encryption: Encryption?

    /// - Parameters:
    ///   - receiveBufferBytes: small where the server shall run into a full window.
    ///   - source: another address of this machine to come from.
    ///   - isSecured: whether it speaks TLS; as the suite does where it isn't said.
    init(
        port: UInt16, receiveBufferBytes: Int32? = nil, from source: String? = nil,
        isSecured: Bool = Transport.current.isSecured
    ) throws {
        encryption = try isSecured ? Encryption() : nil
        descriptor = Sockets.open(AF_INET, .stream, blocking: true)
        if let source {
            var own = sockaddr_in()
            own.sin_family = sa_family_t(AF_INET)
            own.sin_addr.s_addr = unsafe inet_addr(source)
            let bound = unsafe withUnsafePointer(to: own) {
                unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard bound == 0 else { throw Failure(description: "bind: \(errno)") }
        }
        if var size = receiveBufferBytes {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }
        // A server that hangs fails the test instead of hanging it too. A busy machine has its time.
        var patience = timeval(tv_sec: Patience.seconds(60), tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(description: "connect: \(errno)") }
    }

    deinit {
        close(descriptor)
    }

    func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends a text; the first one after the handshake, where there is one.
    func send(_ bytes: [UInt8]) throws {
        guard let encryption else { return try sendRaw(bytes) }
        try establish()
        try encryption.send(bytes, by: self)
    }

    /// Sends a text with a bit of its record turned.
    func sendAltered(_ text: String) throws {
        try encryption?.send(Array(text.utf8), altering: true, by: self)
    }

    /// Sends a text and a goodbye at once, and keeps its sending side open.
    func sendLast(_ text: String) throws {
        try establish()
        try encryption?.send(Array(text.utf8), isLast: true, by: self)
    }

    /// Whether the server has said that nothing more will come.
    var wasToldOfTheEnd: Bool { encryption?.wasToldOfTheEnd == true }

    /// The certificate that the server has shown, in DER.
    var serverCertificate: [UInt8]? { encryption?.serverCertificate }

    /// Shakes hands, where that is due. One thread sends while another receives only after that.
    func establish() throws {
        try encryption?.establish(by: self)
    }

    func sendRaw(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Platform.send(
                    descriptor, $0.baseAddress?.advanced(by: sent), $0.count - sent, Sockets.sendFlags())
            }
            guard count > 0 else { throw Failure(description: "send: \(errno)") }
            sent += count
        }
    }

    func finishSending() {
        encryption?.finish(by: self)
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Closes with a reset instead of an orderly end.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        // Dissolves the association at once; the descriptor is closed with the client.
        _ = unsafe connect(descriptor, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// - Returns: some bytes; none at the end of the stream.
    func receiveSome(upTo limit: Int = 64 << 10) throws -> [UInt8] {
        guard let encryption else { return try receiveRaw(upTo: limit) }
        return try encryption.receive(upTo: limit, by: self)
    }

    func receiveRaw(upTo limit: Int) throws -> [UInt8] {
        try unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let received = unsafe recv(descriptor, buffer.baseAddress, limit, 0)
            guard received >= 0 else { throw Failure(description: "recv: \(errno)") }
            count = received
        }
    }

    func receiveToEnd() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let some = try receiveSome()
            if some.isEmpty { return all }
            all += some
        }
    }

    /// - Returns: so many bytes; fewer where the stream ends before.
    func receive(_ count: Int) throws -> [UInt8] {
        var all: [UInt8] = []
        while all.count < count {
            let some = try receiveSome(upTo: count - all.count)
            if some.isEmpty { break }
            all += some
        }
        return all
    }

    /// - Returns: what comes before the end of the stream or its reset.
    func receiveToCut() -> (bytes: [UInt8], wasReset: Bool) {
        var all: [UInt8] = []
        while true {
            guard let some = try? receiveSome() else { return (all, true) }
            if some.isEmpty { return (all, false) }
            all += some
        }
    }

    func receiveHead() throws -> (statusLine: String, fields: [String]) {
        var head: [UInt8] = []
        while !head.suffix(4).elementsEqual("\r\n\r\n".utf8) {
            let byte = try receiveSome(upTo: 1)
            guard !byte.isEmpty else {
                throw Failure(description: "the stream ends in a head: \(String(decoding: head, as: UTF8.self))")
            }
            head += byte
        }
        let lines = String(decoding: head.dropLast(4), as: UTF8.self).split(separator: "\r\n").map(String.init)
        return (lines[0], Array(lines.dropFirst()))
    }

    func receiveAnswer(toHead: Bool = false) throws -> Answer {
        let (statusLine, fields) = try receiveHead()
        var answer = Answer(statusLine: statusLine, fields: fields, body: [])
        let length = toHead ? 0 : Int(answer["Content-Length"] ?? "0") ?? 0
        while answer.body.count < length {
            let some = try receiveSome(upTo: length - answer.body.count)
            guard !some.isEmpty else { throw Failure(description: "the stream ends in a body") }
            answer.body += some
        }
        return answer
    }

    /// Sends a request and receives its answer.
    func ask(_ request: String) throws -> Answer {
        try send(request)
        return try receiveAnswer()
    }
}

import Foundation
import Platform

/// A proxy before a server of this machine that changes what is asked and what is answered, as broken proxies and
/// servers do. Each connection takes one request.
public final class RewritingProxy: Sendable {
    /// A request on its way.
    public struct Request: Sendable {
        /// Its method.
        public var method: String
        /// Path and query.
        public var target: String
        /// Its fields in their order.
        public var fields: [(name: String, value: String)]
        /// Its body.
        public var body: [UInt8]

        /// The path alone.
        public var path: String { String(target.prefix { $0 != "?" }) }
    }

    /// An answer on its way. Its Content-Length, where it has one, is made right again.
    public struct Answer: Sendable {
        /// The code and the phrase.
        public var status: String
        /// Its fields in their order.
        public var fields: [(name: String, value: String)]
        /// Its body.
        public var body: [UInt8]

        /// The status code.
        public var code: Int { Int(status.prefix(3)) ?? 0 }

        /// The value of the first field of that name in any case; setting nil removes all of them.
        public subscript(_ name: String) -> String? {
            get { fields.first { $0.name.lowercased() == name.lowercased() }?.value }
            set {
                fields.removeAll { $0.name.lowercased() == name.lowercased() }
                if let newValue { fields.append((name, newValue)) }
            }
        }
    }

    /// Where clients connect.
    public let port: UInt16
    private let listener: Int32
    private let server: UInt16
    private let changeRequest: @Sendable (inout Request) -> Void
    private let changeAnswer: @Sendable (Request, inout Answer) -> Void

    /// The proxy could not listen.
    public struct Failure: Error {}

    /// Starts a proxy.
    /// - Parameters:
    ///   - server: the port of the server.
    ///   - changeAnswer: is handed the request as the client sent it.
    public init(
        to server: UInt16, changeRequest: @escaping @Sendable (inout Request) -> Void = { _ in },
        changeAnswer: @escaping @Sendable (Request, inout Answer) -> Void = { _, _ in }
    ) throws {
        let listener = Sockets.open(AF_INET, .stream, blocking: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, pointer, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        self.listener = listener
        self.server = server
        self.changeRequest = changeRequest
        self.changeAnswer = changeAnswer
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [self] in
            while case let client = accept(listener, nil, nil), client >= 0 {
                Thread.detachNewThread { [self] in serve(client) }
            }
            close(listener)
        }
    }

    /// Takes no more connections.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ client: Int32) {
        defer { close(client) }
        guard let asked = Self.request(from: client) else { return }
        var request = asked
        changeRequest(&request)
        guard var answer = try? forward(request) else { return }
        changeAnswer(asked, &answer)
        if answer["Content-Length"] != nil { answer["Content-Length"] = String(answer.body.count) }
        answer["Connection"] = "close"
        let lines = ["HTTP/1.1 \(answer.status)"] + answer.fields.map { "\($0.name): \($0.value)" }
        Self.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + answer.body, to: client)
        shutdown(client, Int32(SHUT_WR))
    }

    private func forward(_ request: Request) throws -> Answer {
        let connection = try WireClient(port: server)
        let lines = ["\(request.method) \(request.target) HTTP/1.1"] + request.fields.map { "\($0.name): \($0.value)" }
        try connection.send(Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + request.body)
        let answer = try connection.response(hasBody: request.method != "HEAD")
        return Answer(status: answer.status, fields: answer.fields, body: answer.body)
    }

    private static func request(from client: Int32) -> Request? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        var request: Request?
        while true {
            let count = unsafe recv(client, &piece, piece.count, 0)
            guard count > 0 else { return nil }
            bytes += piece[..<count]
            guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { continue }
            if request == nil {
                request = self.request(head: String(decoding: bytes[..<end.lowerBound], as: UTF8.self))
            }
            guard var whole = request else { return nil }
            let length = whole.fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
            guard bytes.count >= end.upperBound + length else { continue }
            whole.body = Array(bytes[end.upperBound..<(end.upperBound + length)])
            return whole
        }
    }

    private static func request(head: String) -> Request? {
        var lines = head.split(separator: "\r\n")
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        let fields = lines.compactMap { line -> (name: String, value: String)? in
            guard let colon = line.firstRange(of: ": ") else { return nil }
            return (String(line[..<colon.lowerBound]), String(line[colon.upperBound...]))
        }
        return Request(method: String(words[0]), target: String(words[1]), fields: fields, body: [])
    }

    private static func send(_ bytes: [UInt8], to client: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Platform.send(client, $0.baseAddress, $0.count, Sockets.sendFlags())
            }
            guard sent > 0 else { return }
            rest = rest.dropFirst(sent)
        }
    }
}

import Glibc

/// Asks a running server whether it is ready, with nothing but a socket: the container's health check.
public enum HealthProbe {
    /// Why a server is not ready.
    public enum Fault: Error, Sendable, CustomStringConvertible {
        case url(String)
        case unreachable(String)
        case notReady(status: String)

        /// A sentence for the operator.
        public var description: String {
            switch self {
            case .url(let text): "`\(text)` is not a URL like http://127.0.0.1:8080"
            case .unreachable(let authority): "no server answers at \(authority)"
            case .notReady(let status): "the server is not ready: \(status)"
            }
        }
    }

    /// How long connecting, sending and each read may take.
    private static let patience = timeval(tv_sec: 5, tv_usec: 0)

    /// Sends `GET /readyz`.
    /// - Parameter url: `http://HOST:PORT`; a path after it is left out.
    public static func ask(_ url: String) throws(Fault) {
        guard let (host, port) = address(in: url) else { throw .url(url) }
        guard let descriptor = connect(host, port) else { throw .unreachable("\(host):\(port)") }
        defer { _ = close(descriptor) }
        let request = "GET /readyz HTTP/1.1\r\nHost: \(host)\r\nConnection: close\r\n\r\n"
        guard sendAll(Array(request.utf8), on: descriptor) else { throw .unreachable("\(host):\(port)") }
        let statusLine = readLine(from: descriptor)
        guard statusLine.hasPrefix("HTTP/1.1 ") else { throw .unreachable("\(host):\(port)") }
        guard statusLine.hasPrefix("HTTP/1.1 200 ") else { throw .notReady(status: String(statusLine.dropFirst(9))) }
    }

    /// Takes `http://host:port/…` and `http://[::1]:port` apart.
    static func address(in url: String) -> (host: String, port: String)? {
        guard url.lowercased().hasPrefix("http://") else { return nil }
        let authority = url.dropFirst("http://".count).prefix { $0 != "/" }
        let host: Substring
        let rest: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[..<end].dropFirst()
            rest = authority[authority.index(after: end)...]
        } else {
            let end = authority.firstIndex(of: ":") ?? authority.endIndex
            host = authority[..<end]
            rest = authority[end...]
        }
        guard !host.isEmpty else { return nil }
        if rest.isEmpty { return (String(host), "80") }
        guard rest.first == ":", let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
        return (String(host), String(port))
    }

    private static func connect(_ host: String, _ port: String) -> Int32? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let candidate = unsafe next?.pointee {
            let descriptor = unsafe socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
            var patience = patience
            let size = socklen_t(MemoryLayout<timeval>.size)
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, size)
            // On Linux the send timeout bounds connecting too.
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, size)
            if unsafe Glibc.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0 { return descriptor }
            _ = close(descriptor)
            unsafe next = unsafe candidate.ai_next
        }
        return nil
    }

    private static func sendAll(_ bytes: [UInt8], on descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            == bytes.count
    }

    /// The first line of the answer; empty where none comes in time.
    private static func readLine(from descriptor: Int32) -> String {
        var line: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 512)
        while !line.contains(UInt8(ascii: "\n")), line.count < 4_096 {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            line.append(contentsOf: buffer[..<count])
        }
        return String(decoding: line.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    }
}

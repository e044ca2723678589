import Glibc

/// One HTTP request over a socket of its own, for threads that may block.
public enum PlainHTTP {
    /// Why no status came back.
    public enum Fault: Error, Sendable, Equatable {
        /// No connection, or none within the time.
        case unreachable
        /// The connection ended, or the time was over, before a status line.
        case noAnswer
    }

    /// Sends a request and reads the answer's status line.
    ///
    /// - Parameters:
    ///   - bytes: the whole request, with `Connection: close`.
    ///   - patience: seconds for each of connecting, sending and a read.
    /// - Returns: what follows `HTTP/1.1 ` on the status line, such as `200 OK`.
    public static func send(
        _ bytes: [UInt8], to host: String, port: String, patience: Int
    ) throws(Fault) -> String {
        guard let descriptor = connect(host, port, patience) else { throw .unreachable }
        defer { _ = close(descriptor) }
        guard sendAll(bytes, on: descriptor) else { throw .noAnswer }
        let line = readLine(from: descriptor)
        guard line.hasPrefix("HTTP/1.1 ") || line.hasPrefix("HTTP/1.0 ") else { throw .noAnswer }
        return String(line.dropFirst(9))
    }

    private static func connect(_ host: String, _ port: String, _ patience: Int) -> Int32? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(host, port, &hints, &list) == 0 else { return nil }
        defer { unsafe freeaddrinfo(list) }
        var next = unsafe list
        while let candidate = unsafe next?.pointee {
            let descriptor = unsafe socket(
                candidate.ai_family, candidate.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), candidate.ai_protocol)
            var patience = timeval(tv_sec: patience, tv_usec: 0)
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
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
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

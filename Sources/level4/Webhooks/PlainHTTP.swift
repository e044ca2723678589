import Platform
public import TLS

/// Sends single HTTP requests, each over its own socket, on threads that may block.
public enum PlainHTTP {
    /// Why there was no status.
    public enum Fault: Error, Sendable, Equatable {
        /// There was no connection within the time limit.
        case unreachable
        /// The connection ended, or the time was over, before a complete status line.
        case noAnswer
    }

    /// Sends a request and reads the response's status line, of which at most `longestLine` bytes are read.
    ///
    /// - Parameters:
    ///   - bytes: the complete request, with `Connection: close`.
    ///   - session: a client session for TLS; nil for plain HTTP.
    ///   - patience: the time limit in seconds for everything except looking up the host's addresses.
    /// - Returns: the part of the status line after `HTTP/1.1 `, such as `200 OK`.
    public static func send(
        _ bytes: [UInt8], to host: String, port: String, through session: TLSSession? = nil, patience: Int
    ) throws(Fault) -> String {
        let addresses = try Addresses(of: host, port)
        let deadline = ContinuousClock.now + .seconds(patience)
        guard let descriptor = connect(to: addresses, until: deadline) else { throw .unreachable }
        defer { _ = close(descriptor) }
        if let session, !establish(session, on: descriptor, until: deadline) { throw .noAnswer }
        guard session?.encrypt(bytes.span) ?? true, sendAll(session?.unsent ?? bytes, on: descriptor, until: deadline)
        else { throw .noAnswer }
        let line = readLine(from: descriptor, through: session, until: deadline)
        guard line.hasPrefix("HTTP/1.1 ") || line.hasPrefix("HTTP/1.0 ") else { throw .noAnswer }
        return String(line.dropFirst(9))
    }

    private static let longestLine = 4_096

    /// The addresses of a host, which go with this value.
    @safe private struct Addresses: ~Copyable {
        let first: UnsafeMutablePointer<addrinfo>?

        init(of host: String, _ port: String) throws(Fault) {
            var hints = unsafe addrinfo()
            unsafe hints.ai_socktype = Sockets.Kind.stream.number
            var list: UnsafeMutablePointer<addrinfo>?
            guard unsafe getaddrinfo(host, port, &hints, &list) == 0 else { throw .unreachable }
            unsafe first = list
        }

        deinit {
            unsafe freeaddrinfo(first)
        }
    }

    private static func connect(
        to addresses: borrowing Addresses, until deadline: ContinuousClock.Instant
    ) -> Int32? {
        var next = unsafe addresses.first
        while let candidate = unsafe next?.pointee {
            let descriptor = unsafe Sockets.open(candidate.ai_family, .stream, blocking: true)
            // On Linux the send timeout also limits connecting.
            if bound(SO_SNDTIMEO, of: descriptor, by: deadline),
                unsafe Platform.connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0
            {
                return descriptor
            }
            _ = close(descriptor)
            unsafe next = unsafe candidate.ai_next
        }
        return nil
    }

    /// Limits how long the next call on a socket may wait, to the time left until the deadline.
    /// - Returns: false if the deadline has passed.
    private static func bound(
        _ option: Int32, of descriptor: Int32, by deadline: ContinuousClock.Instant
    ) -> Bool {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: deadline).components
        // Zero for both would mean no limit.
        let microseconds = Int(attoseconds / 1_000_000_000_000)
        guard seconds > 0 || microseconds > 0 else { return false }
        var rest = timeval(tv_sec: time_t(seconds), tv_usec: suseconds_t(microseconds))
        return unsafe setsockopt(
            descriptor, SOL_SOCKET, option, &rest, socklen_t(MemoryLayout<timeval>.size)) == 0
    }

    /// Completes the TLS handshake.
    private static func establish(
        _ session: TLSSession, on descriptor: Int32, until deadline: ContinuousClock.Instant
    ) -> Bool {
        session.greet()
        while true {
            guard sendAll(session.unsent, on: descriptor, until: deadline) else { return false }
            session.didSend(session.unsent.count)
            if session.isEstablished { return true }
            guard receive(from: descriptor, through: session, until: deadline) != nil else { return false }
        }
    }

    /// Returns some of the incoming bytes; nil at their end, or at the deadline.
    private static func receive(
        from descriptor: Int32, through session: TLSSession?, until deadline: ContinuousClock.Instant
    ) -> ArraySlice<UInt8>? {
        var buffer = [UInt8](repeating: 0, count: 512)
        guard bound(SO_RCVTIMEO, of: descriptor, by: deadline) else { return nil }
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        guard let session else { return buffer[..<count] }
        var text = [UInt8](repeating: 0, count: count + TLSSession.recordBytes)
        let outcome = unsafe buffer[..<count].withUnsafeBufferPointer { bytes in
            unsafe text.withUnsafeMutableBufferPointer { unsafe session.decrypt(bytes, into: $0) }
        }
        guard case .text(let length) = outcome else { return nil }
        return text[..<length]
    }

    private static func sendAll(
        _ bytes: [UInt8], on descriptor: Int32, until deadline: ContinuousClock.Instant
    ) -> Bool {
        var sent = 0
        while sent < bytes.count {
            guard bound(SO_SNDTIMEO, of: descriptor, by: deadline) else { return false }
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Platform.send(descriptor, $0.baseAddress, $0.count, Sockets.sendFlags())
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Reads the first line of the response; empty if no complete one arrives in time.
    private static func readLine(
        from descriptor: Int32, through session: TLSSession?, until deadline: ContinuousClock.Instant
    ) -> String {
        var line: [UInt8] = []
        while !line.contains(UInt8(ascii: "\n")) {
            guard line.count < longestLine, let bytes = receive(from: descriptor, through: session, until: deadline)
            else { return "" }
            line.append(contentsOf: bytes)
        }
        return String(decoding: line.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    }
}

import Platform

/// A connection that sends the bytes it is given and nothing else: a helpful client would hide a server's faults.
public final class WireClient {
    private let descriptor: Int32
    private var received: [UInt8] = []

    /// Why an exchange came to nothing.
    public enum Failure: Error, Equatable {
        case connect(errno: Int32)
        case send(errno: Int32)
        /// The server closed the connection, or sent nothing for a minute, before the answer was complete.
        case incomplete(received: String)
        case malformed(String)
    }

    /// Connects to a port of this machine.
    public init(port: UInt16) throws(Failure) {
        descriptor = Sockets.open(AF_INET, .stream, blocking: true)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else {
            // The descriptor is closed by `deinit`, which runs also where an initializer throws after its last property.
            throw .connect(errno: errno)
        }
        // A busy machine has its time.
        var timeout = timeval(tv_sec: Patience.seconds(60), tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes as they are.
    public func send(_ bytes: some Collection<UInt8>) throws(Failure) {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes { bytes in
                unsafe Platform.send(descriptor, bytes.baseAddress, bytes.count, Sockets.sendFlags())
            }
            guard sent > 0 else { throw .send(errno: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends text as it is.
    public func send(_ text: String) throws(Failure) {
        try send(Array(text.utf8))
    }

    /// Tells the server that nothing more will be sent.
    public func shutdownSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Has the connection reset where it would be closed.
    public func breakOff() {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Reads one complete response.
    /// - Parameter hasBody: false for the answer to HEAD, whose Content-Length no body follows.
    public func response(hasBody: Bool = true) throws(Failure) -> WireResponse {
        while true {
            if let end = headEnd() {
                let response = try WireResponse(head: String(decoding: received[..<end], as: UTF8.self))
                if hasBody, response["Transfer-Encoding"] == "chunked" {
                    received.removeFirst(end + 4)
                    return response.with(body: try chunks())
                }
                let length = hasBody ? Int(response["Content-Length"] ?? "0") ?? 0 : 0
                while received.count < end + 4 + length { try receive() }
                let body = Array(received[(end + 4)..<(end + 4 + length)])
                received.removeFirst(end + 4 + length)
                return response.with(body: body)
            }
            try receive()
        }
    }

    /// A body in chunks, up to its end.
    private func chunks() throws(Failure) -> [UInt8] {
        var body: [UInt8] = []
        while true {
            while !received.contains(10) { try receive() }
            let line = received.prefix { $0 != 13 }
            guard let size = Int(String(decoding: line, as: UTF8.self), radix: 16) else {
                throw .malformed(String(decoding: line, as: UTF8.self))
            }
            let start = line.count + 2
            while received.count < start + size + 2 { try receive() }
            body += received[start..<(start + size)]
            received.removeFirst(start + size + 2)
            if size == 0 { return body }
        }
    }

    /// Whether the server has closed the connection; waits for up to a minute.
    public func isClosedByServer() -> Bool {
        while true {
            do throws(Failure) {
                try receive()
            } catch {
                return errno != EAGAIN
            }
        }
    }

    private func headEnd() -> Int? {
        guard received.count >= 4 else { return nil }
        for index in 0...(received.count - 4)
        where received[index] == 13 && received[index + 1] == 10 && received[index + 2] == 13
            && received[index + 3] == 10
        {
            return index
        }
        return nil
    }

    private func receive() throws(Failure) {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        errno = 0
        let count = unsafe chunk.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count > 0 else { throw .incomplete(received: String(decoding: received, as: UTF8.self)) }
        received.append(contentsOf: chunk[..<count])
    }
}

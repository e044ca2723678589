/// Socket functions that differ between systems, or take several calls.
public enum Sockets {
    /// The type of a socket.
    public enum Kind: Sendable {
        case stream, datagram

        /// The type's number on this system.
        public var number: Int32 {
            #if canImport(Glibc)
                Int32((self == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
            #else
                self == .stream ? SOCK_STREAM : SOCK_DGRAM
            #endif
        }
    }

    /// Opens a socket that child processes don't inherit.
    /// - Returns: the descriptor; negative on failure, with errno set.
    public static func open(_ family: Int32, _ kind: Kind, blocking: Bool) -> Int32 {
        #if os(Linux)
            let flags = blocking ? SOCK_CLOEXEC.rawValue : SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
            return socket(family, kind.number | Int32(flags), 0)
        #else
            let number = socket(family, kind.number, 0)
            guard number >= 0, !(blocking ? keep(number) : prepare(number)) else { return number }
            close(number)
            return -1
        #endif
    }

    /// Accepts a connection as non-blocking, and not inherited by child processes.
    /// - Parameters:
    ///   - kind: the mechanism of the loop that it is for; the portable one makes no Linux-specific calls.
    ///   - address: receives the peer's address.
    /// - Returns: the descriptor; negative on failure, with errno set.
    public static func accept(
        _ listener: Int32, _ kind: Poller.Kind, _ address: UnsafeMutablePointer<sockaddr>,
        _ length: UnsafeMutablePointer<socklen_t>
    ) -> Int32 {
        #if os(Linux)
            if kind == .epoll {
                let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
                return unsafe accept4(listener, address, length, flags)
            }
        #endif
        let number = unsafe systemAccept(listener, address, length)
        guard number >= 0, !prepare(number) else { return number }
        close(number)
        errno = ECONNABORTED
        return -1
    }

    /// Closes a connection so that its peer sees a reset.
    public static func reset(_ number: Int32) {
        var option = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
        close(number)
    }

    /// Makes a descriptor non-blocking, and not inherited by child processes.
    public static func prepare(_ number: Int32) -> Bool {
        keep(number) && fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0
    }

    /// Keeps child processes from inheriting a descriptor, and failed writes to it from killing the process.
    public static func keep(_ number: Int32) -> Bool {
        #if canImport(Darwin)
            var on: Int32 = 1
            let isSet =
                unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
            // A pipe doesn't have this option; a socket refuses it if its peer has disconnected.
            guard isSet || errno == ENOTSOCK else { return false }
        #endif
        return fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    }

    /// Returns the flags for sending bytes without a signal if the peer has disconnected.
    /// - Parameter hasMore: whether more follows immediately, so that the system may hold back a partial packet.
    public static func sendFlags(hasMore: Bool = false) -> Int32 {
        #if os(Linux)
            Int32(hasMore ? MSG_NOSIGNAL | MSG_MORE : MSG_NOSIGNAL)
        #else
            0
        #endif
    }

    /// The maximum number of buffers sent by one call.
    public static let buffersAtOnce = 64

    /// Sends buffers one after another, without copying them, as far as the system has room.
    /// - Parameters:
    ///   - skipped: the number of bytes at the start of the first buffer not to send.
    ///   - most: the maximum number of bytes to send.
    ///   - flags: as returned by `sendFlags`.
    /// - Returns: the number of bytes sent; negative on failure, with errno set.
    public static func send(
        _ buffers: ArraySlice<[UInt8]>, skipping skipped: Int, most: Int, to descriptor: Int32, flags: Int32
    ) -> Int {
        unsafe withUnsafeTemporaryAllocation(of: iovec.self, capacity: buffersAtOnce) { vectors in
            unsafe send(buffers.prefix(buffersAtOnce), skipped, most, vectors, 0, descriptor, flags)
        }
    }

    /// Recurses for each buffer, because all pointers must be valid at once.
    private static func send(
        _ rest: ArraySlice<[UInt8]>, _ skipped: Int, _ most: Int, _ vectors: UnsafeMutableBufferPointer<iovec>,
        _ count: Int, _ descriptor: Int32, _ flags: Int32
    ) -> Int {
        guard most > 0, let buffer = rest.first else {
            var message = unsafe msghdr()
            unsafe message.msg_iov = vectors.baseAddress
            unsafe message.msg_iovlen = numericCast(count)
            return unsafe sendmsg(descriptor, &message, flags)
        }
        return unsafe buffer.withUnsafeBytes { bytes in
            let length = min(bytes.count - skipped, most)
            let start = unsafe UnsafeMutableRawPointer(mutating: bytes.baseAddress?.advanced(by: skipped))
            unsafe vectors[count] = iovec(iov_base: start, iov_len: length)
            return unsafe send(rest.dropFirst(), 0, most - length, vectors, count + 1, descriptor, flags)
        }
    }

    /// Enables keepalive, so that a vanished peer is noticed: a silent one is probed after a minute, and given up after
    /// another one without a response.
    public static func probeSilence(of descriptor: Int32) {
        #if canImport(Darwin)
            let options = [
                (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPALIVE, 60),
                (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 6),
            ]
        #else
            let options = [
                (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 60),
                (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 10), (Int32(IPPROTO_TCP), TCP_KEEPCNT, 6),
            ]
        #endif
        for (level, name, value) in options {
            var value = Int32(value)
            _ = unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Sets whether closing a connection drops unsent data and resets the peer.
    public static func setReset(of descriptor: Int32, atClose resets: Bool) {
        var option = linger(l_onoff: resets ? 1 : 0, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Returns how many sent bytes the peer has not accepted yet, in this system or in transit.
    public static func untakenBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if os(Linux)
            return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
        #else
            var size = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : 0
        #endif
    }

    /// Returns how many received bytes haven't been read yet; nil if the system doesn't tell.
    public static func receivedBytes(of descriptor: Int32) -> Int? {
        #if os(Linux)
            var count: Int32 = 0
            return unsafe ioctl(descriptor, UInt(FIONREAD), &count) == 0 ? Int(count) : nil
        #else
            return nil
        #endif
    }

    /// Returns whether the peer has closed, by peeking at the next byte: received bytes may hide more.
    public static func leave(of descriptor: Int32) -> Poller.PeerClose {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        if count >= 0 { return count == 0 ? .sending : .none }
        return errno == EAGAIN || errno == EINTR ? .none : .gone
    }

    /// Returns whether the peer sends no more; on Linux even before received bytes are read.
    public static func hasShutSending(_ descriptor: Int32) -> Bool {
        #if os(Linux)
            var look = pollfd(fd: descriptor, events: zumod_poll_leave, revents: 0)
            return unsafe poll(&look, 1, 0) > 0
        #else
            return leave(of: descriptor) != .none
        #endif
    }

    private static func systemAccept(
        _ listener: Int32, _ address: UnsafeMutablePointer<sockaddr>, _ length: UnsafeMutablePointer<socklen_t>
    ) -> Int32 {
        #if canImport(Glibc)
            unsafe Glibc.accept(listener, address, length)
        #elseif canImport(Musl)
            unsafe Musl.accept(listener, address, length)
        #else
            unsafe Darwin.accept(listener, address, length)
        #endif
    }
}

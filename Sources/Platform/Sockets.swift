/// What of sockets is called by other names elsewhere, or takes more calls.
public enum Sockets {
    /// What a socket carries.
    public enum Kind: Sendable {
        case stream, datagram

        /// The system's number for it.
        public var number: Int32 {
            #if canImport(Glibc)
                Int32((self == .stream ? SOCK_STREAM : SOCK_DGRAM).rawValue)
            #else
                self == .stream ? SOCK_STREAM : SOCK_DGRAM
            #endif
        }
    }

    /// Opens a socket that no program inherits which this one starts.
    /// - Returns: its descriptor; negative where there is none, as errno says.
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

    /// Accepts a connection, so that it doesn't block and no program inherits it.
    /// - Parameters:
    ///   - kind: how the loop waits that it is for; the portable way has none of Linux's own calls.
    ///   - address: where the other side's address goes.
    /// - Returns: its descriptor; negative where there is none, as errno says.
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

    /// Has a descriptor not block, nor be inherited by a program which this one starts.
    public static func prepare(_ number: Int32) -> Bool {
        keep(number) && fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0
    }

    /// Has no program inherit a descriptor, nor the process be killed by what is written to it in vain.
    public static func keep(_ number: Int32) -> Bool {
        #if canImport(Darwin)
            var on: Int32 = 1
            let isSet =
                unsafe setsockopt(number, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size)) == 0
            // A pipe can't have it; a socket that can't is one whose other side has gone.
            guard isSet || errno == ENOTSOCK else { return false }
        #endif
        return fcntl(number, F_SETFD, FD_CLOEXEC) == 0
    }

    /// The flags by which bytes are sent without a signal where nobody takes them.
    /// - Parameter hasMore: whether more follows at once, so that the system may wait with a packet that isn't full.
    public static func sendFlags(hasMore: Bool = false) -> Int32 {
        #if os(Linux)
            Int32(hasMore ? MSG_NOSIGNAL | MSG_MORE : MSG_NOSIGNAL)
        #else
            0
        #endif
    }

    /// How much of what was sent waits in the system, or on its way, for the other side to take it.
    public static func untakenBytes(of descriptor: Int32) -> Int {
        var count: Int32 = 0
        #if os(Linux)
            return unsafe ioctl(descriptor, UInt(TIOCOUTQ), &count) == 0 ? Int(count) : 0
        #else
            var size = socklen_t(MemoryLayout<Int32>.size)
            return unsafe getsockopt(descriptor, SOL_SOCKET, SO_NWRITE, &count, &size) == 0 ? Int(count) : 0
        #endif
    }

    /// How far the other side has gone, by a look at what comes next: before that is read nothing more can be told.
    public static func leave(of descriptor: Int32) -> Poller.Leave {
        var byte: UInt8 = 0
        let count = unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT))
        if count >= 0 { return count == 0 ? .sending : .none }
        return errno == EAGAIN || errno == EINTR ? .none : .gone
    }

    /// Whether the other side sends no more, on Linux also before what it sent is read.
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

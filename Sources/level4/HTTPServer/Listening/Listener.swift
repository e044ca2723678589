internal import Platform

/// Opens the socket that the server listens on.
enum Listener {
    static func open(at place: ListenAddress) throws(ServerError) -> Descriptor {
        switch place {
        case .address(let host, let port, let isShared): return try open(host: host, port: port, isShared: isShared)
        case .socket(let number): return try take(number)
        }
    }

    /// Binds a host, which may be an IPv4 or IPv6 address or a name such as `localhost`, and listens.
    /// - Parameters:
    ///   - port: 0 for any free one.
    ///   - isShared: whether other processes may listen there too.
    private static func open(host: String, port: UInt16, isShared: Bool) throws(ServerError) -> Descriptor {
        var failure = ServerError.unknownHost(host, reason: "it has no address")
        for candidate in try addresses(host: host, port: port) {
            do throws(ServerError) {
                return try open(candidate, host: host, port: port, isShared: isShared)
            } catch {
                failure = error
                // The next address is worth a try only if this machine doesn't have this one.
                guard case .addressNotHere = error else { break }
            }
        }
        throw failure
    }

    private struct Candidate {
        var family: Int32
        var address: [UInt8]
    }

    /// IPv4 first: for `localhost` it is what most clients try first.
    private static func addresses(host: String, port: UInt16) throws(ServerError) -> [Candidate] {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Sockets.Kind.stream.number
        var list: UnsafeMutablePointer<addrinfo>?
        guard !host.isEmpty else { throw .unknownHost(host, reason: "it is empty") }
        let code = unsafe getaddrinfo(host, String(port), &hints, &list)
        guard code == 0 else {
            throw .unknownHost(host, reason: unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(list) }
        var found: [Candidate] = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            let bytes = unsafe UnsafeRawBufferPointer(start: entry.ai_addr, count: Int(entry.ai_addrlen))
            unsafe found.append(Candidate(family: entry.ai_family, address: Array(bytes)))
            unsafe next = entry.ai_next
        }
        return found.filter { $0.family == AF_INET } + found.filter { $0.family == AF_INET6 }
    }

    /// Takes over a socket that is already listening.
    private static func take(_ number: Int32) throws(ServerError) -> Descriptor {
        let listener = Descriptor(number)
        guard Sockets.prepare(number) else { throw .last("fcntl") }
        try turnOn(TCP_NODELAY, level: Int32(IPPROTO_TCP), of: listener)
        return listener
    }

    private static func open(
        _ candidate: Candidate, host: String, port: UInt16, isShared: Bool
    ) throws(ServerError) -> Descriptor {
        let number = Sockets.open(candidate.family, .stream, blocking: false)
        guard number >= 0 else {
            throw errno == EAFNOSUPPORT ? .addressNotHere(host: host) : .last("socket")
        }
        let listener = Descriptor(number)
        try turnOn(SO_REUSEADDR, level: SOL_SOCKET, of: listener)
        if isShared { try turnOn(SO_REUSEPORT, level: SOL_SOCKET, of: listener) }
        // Accepted sockets inherit this option.
        try turnOn(TCP_NODELAY, level: Int32(IPPROTO_TCP), of: listener)
        let bound = unsafe candidate.address.withUnsafeBytes { bytes in
            unsafe bytes.withMemoryRebound(to: sockaddr.self) {
                unsafe bind(number, $0.baseAddress, socklen_t(bytes.count))
            }
        }
        guard bound == 0 else { throw bindFailure(host: host, port: port) }
        guard listen(number, 4096) == 0 else { throw bindFailure(host: host, port: port) }
        return listener
    }

    private static func turnOn(_ option: Int32, level: Int32, of socket: borrowing Descriptor) throws(ServerError) {
        var on: Int32 = 1
        guard unsafe setsockopt(socket.number, level, option, &on, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .last("setsockopt")
        }
    }

    private static func bindFailure(host: String, port: UInt16) -> ServerError {
        switch errno {
        case EADDRINUSE: .portInUse(host: host, port: port)
        case EACCES, EPERM: .notPermitted(host: host, port: port)
        case EADDRNOTAVAIL: .addressNotHere(host: host)
        default: .last("bind")
        }
    }
}

/// Where a server listens.
public enum ListenAddress: Sendable {
    /// An IPv4 or IPv6 address or a name such as `localhost`, and a port, 0 for any free one.
    ///
    /// If it is shared, another process of the same user may listen there too: the one that started last gets the
    /// connections, and one that drains still accepts those that were on their way to it.
    case address(host: String, port: UInt16, isShared: Bool)
    /// A socket that is already listening, which the server owns from then on.
    case socket(Int32)

    var isShared: Bool {
        if case .address(_, _, let isShared) = self { isShared } else { false }
    }
}

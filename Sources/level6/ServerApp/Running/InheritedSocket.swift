import Platform
public import ServerConfiguration

/// A listening socket inherited from whatever started the process: sd_listen_fds(3).
public struct InheritedSocket: Sendable {
    /// The open descriptor.
    public let descriptor: Int32
    /// The numeric address that it is bound to.
    public let host: String
    /// Its port.
    public let port: UInt16

    /// The first inherited descriptor.
    private static let first: Int32 = 3
    private static let most: Int32 = 1_024

    /// Finds the socket.
    /// - Returns: nil if there is none, or if it is meant for another process.
    /// - Throws: if the inherited descriptors are not a single socket that zumod can serve on.
    public static func find(
        in environment: [String: String]
    ) throws(ConfigurationFaults) -> InheritedSocket? {
        guard environment["LISTEN_PID"] == "\(getpid())", let text = environment["LISTEN_FDS"] else { return nil }
        guard let count = Int32(text), (0...most).contains(count) else { throw fault("is no number of descriptors") }
        guard count > 0 else { return nil }
        let names = environment["LISTEN_FDNAMES"]?.split(separator: ":", omittingEmptySubsequences: false) ?? []
        let given = (0..<count).filter { count == 1 || (Int($0) < names.count && names[Int($0)] == "http") }
        guard given.count == 1, let place = given.first else {
            throw fault("gives \(count) sockets, but zumod serves on one; name that one http (FileDescriptorName=)")
        }
        let descriptor = first + place
        guard let (host, port) = address(of: descriptor) else {
            throw fault("says that descriptor \(descriptor) is a TCP socket that listens, but it isn't one")
        }
        return InheritedSocket(descriptor: descriptor, host: host, port: port)
    }

    private static func fault(_ sentence: String) -> ConfigurationFaults {
        ConfigurationFaults([ConfigurationFault(.environment("LISTEN_FDS"), key: nil, sentence)])
    }

    /// - Returns: nil if the descriptor is not a listening TCP socket.
    private static func address(of descriptor: Int32) -> (host: String, port: UInt16)? {
        guard option(SO_TYPE, of: descriptor) == Sockets.Kind.stream.number,
            option(SO_ACCEPTCONN, of: descriptor) == 1
        else { return nil }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isFound = unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getsockname(descriptor, address, &length) == 0
                    && [AF_INET, AF_INET6].contains(Int32(address.pointee.sa_family))
                    && getnameinfo(address, length, &text, socklen_t(text.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        guard isFound else { return nil }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        // In both families the port follows the family, in network byte order.
        let port = unsafe withUnsafeBytes(of: storage) { unsafe UInt16($0[2]) << 8 | UInt16($0[3]) }
        return (host, port)
    }

    private static func option(_ name: Int32, of descriptor: Int32) -> Int32? {
        var value: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : nil
    }
}

extension ConfigurationSources {
    /// Returns these sources with the address of an inherited socket, which overrides all others.
    public func listening(on socket: InheritedSocket?) -> ConfigurationSources {
        guard let socket else { return self }
        var sources = self
        sources.flags.append(Flag("LISTEN_FDS", key: "host", value: socket.host))
        sources.flags.append(Flag("LISTEN_FDS", key: "port", value: "\(socket.port)"))
        return sources
    }
}

internal import CSockets
internal import Glibc

/// An IPv4 or IPv6 address with a port, as the system calls fill it in.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    /// Lets a system call such as `accept4` or `getsockname` write the address.
    mutating func fill(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) -> Int32 {
        unsafe withUnsafeMutablePointer(to: &storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe withUnsafeMutablePointer(to: &length) { unsafe call(address, $0) }
            }
        }
    }

    /// The address in numbers, without its port. IPv4 clients of a dual-stack socket show as IPv4.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let size = socklen_t(text.count)
        let failed = unsafe withUnsafePointer(to: storage) { storage in
            unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe getnameinfo(address, length, &text, size, nil, 0, NI_NUMERICHOST)
            }
        }
        guard failed == 0 else { return "" }
        let name = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.hasPrefix("::ffff:") && name.contains(".") ? String(name.dropFirst(7)) : name
    }

    var port: UInt16 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            // Both families keep the port behind the family, in network order.
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }
}

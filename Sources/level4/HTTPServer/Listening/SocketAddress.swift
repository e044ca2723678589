internal import Platform

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

    /// The numeric address without the port. IPv4 clients of a dual-stack socket appear as IPv4.
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

    /// The key for counting the owner's connections; nil for an unknown address family.
    var block: AddressCounts.Block? {
        unsafe withUnsafeBytes(of: storage) { bytes in
            switch Int32(storage.ss_family) {
            case AF_INET:
                // After family and port.
                return unsafe .version4(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
            case AF_INET6:
                // After family, port and flow label.
                let high = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                let low = unsafe UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                let isMapped = high == 0 && low >> 32 == 0xFFFF
                return isMapped ? .version4(UInt32(truncatingIfNeeded: low).bigEndian) : .version6(high)
            default: return nil
            }
        }
    }

    var port: UInt16 {
        unsafe withUnsafeBytes(of: storage) { bytes in
            // In both families the port follows the family, in network byte order.
            unsafe UInt16(bytes[2]) << 8 | UInt16(bytes[3])
        }
    }
}

import Platform
import Synchronization

/// Ports of this machine for programs that don't take 0 for any of them.
enum FreePort {
    struct None: Error {}

    /// Below those that the system gives by itself. Where the search begins differs from process to process.
    private static let range: ClosedRange<UInt16> = 20_000...29_999
    private static let turn = Atomic(Int.random(in: 0..<range.count))

    /// A port on which nobody listens, and which no other test is given before all others.
    static func next() throws -> UInt16 {
        for _ in range {
            let number = turn.add(1, ordering: .relaxed).newValue % range.count
            let port = range.lowerBound + UInt16(number)
            if isFree(port) { return port }
        }
        throw None()
    }

    private static func isFree(_ port: UInt16) -> Bool {
        let descriptor = Sockets.open(AF_INET, .stream, blocking: true)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}

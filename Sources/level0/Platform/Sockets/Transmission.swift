/// The state of a TCP connection's sending side.
public struct Transmission: Sendable {
    /// The number of bytes acknowledged by the peer's system.
    public let acknowledgedBytes: UInt64
    /// Whether nothing more can be sent, as after a reset.
    public let isOver: Bool
    /// Whether anything was retransmitted: bytes received in time are acknowledged within 40 ms, and nothing is
    /// retransmitted before 200 ms.
    public let isUnanswered: Bool

    /// - Returns: nil if the system doesn't tell.
    public init?(of descriptor: Int32) {
        #if os(Linux)
            // The library's own declaration ends before the number of acknowledged bytes, available since Linux 4.1.
            var facts = [UInt8](repeating: 0, count: 192)
            var size = socklen_t(facts.count)
            guard unsafe getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &facts, &size) == 0, size >= 128 else {
                return nil
            }
            let known = unsafe facts.withUnsafeBytes { unsafe $0.loadUnaligned(as: tcp_info.self) }
            acknowledgedBytes = unsafe facts.withUnsafeBytes {
                unsafe $0.loadUnaligned(fromByteOffset: 120, as: UInt64.self)
            }
            isOver = Int(known.tcpi_state) == TCP_CLOSE
            isUnanswered = isOver ? known.tcpi_total_retrans > 0 : known.tcpi_retransmits > 0
        #else
            return nil
        #endif
    }
}

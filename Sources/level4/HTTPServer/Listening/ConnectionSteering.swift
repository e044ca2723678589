internal import Foundation
internal import Platform

/// Makes the system give all new connections to one of the sockets that share a port, instead of spreading them over
/// all: the processes of the others are about to end, or are paused.
enum ConnectionSteering {
    /// Steers connections to the socket that listened last. Where that isn't possible, they remain spread.
    static func toNewest(_ socket: borrowing Descriptor) {
        #if os(Linux)
            steer(socket)
        #endif
    }

    #if os(Linux)
        private static func steer(_ socket: borrowing Descriptor) {
            guard let count = listeners(beside: socket.number), count > 1 else { return }
            // The whole program: it returns the index among the sockets, in the order in which they started to listen.
            let program = [sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: UInt32(count - 1))]
            unsafe program.withUnsafeBufferPointer { code in
                var filter = unsafe sock_fprog(len: 1, filter: UnsafeMutablePointer(mutating: code.baseAddress))
                let size = unsafe socklen_t(MemoryLayout<sock_fprog>.size)
                _ = unsafe setsockopt(socket.number, SOL_SOCKET, SO_ATTACH_REUSEPORT_CBPF, &filter, size)
            }
        }

        /// The number of sockets that listen on the same address, including this one; nil if it can't be determined.
        private static func listeners(beside socket: Int32) -> Int? {
            var status = stat()
            guard unsafe fstat(socket, &status) == 0 else { return nil }
            for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                guard let text = try? String(contentsOfFile: table, encoding: .utf8) else { continue }
                // Columns: number, local address, remote address, state (0A is listening), …, the tenth is the inode.
                // The types are spelled out: type inference took the compiler a quarter of a minute.
                let rows: [[Substring]] = text.split(separator: "\n").map { $0.split(separator: " ") }
                let listeners = rows.filter { (row: [Substring]) -> Bool in row.count > 9 && row[3] == "0A" }
                let inode = Substring(String(status.st_ino))
                guard let own = listeners.first(where: { (row: [Substring]) -> Bool in row[9] == inode }) else {
                    continue
                }
                return listeners.count { (row: [Substring]) -> Bool in row[1] == own[1] }
            }
            return nil
        }
    #endif
}

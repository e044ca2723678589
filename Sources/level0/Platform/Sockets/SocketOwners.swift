import Foundation

/// The owners of the sockets connected to this machine's, according to the system.
public enum SocketOwners {
    /// Returns the users of the socket at the other end of a connection within this machine.
    /// - Parameters:
    ///   - port: the port of that end.
    ///   - own: the port of this end.
    /// - Returns: nil if the system doesn't tell; empty if the connection has ended.
    public static func users(of port: UInt16, to own: UInt16) -> [UInt32]? {
        #if os(Linux)
            var found = [UInt32](repeating: 0, count: 16)
            let count = unsafe found.withUnsafeMutableBufferPointer { buffer in
                unsafe zumod_socket_users(port, own, buffer.baseAddress, Int32(buffer.count))
            }
            if count >= 0 { return Array(found.prefix(Int(count))) }
            // A sandbox may only provide the table, which can omit lines while others come and go.
            for _ in 0..<3 {
                guard let users = usersInTables(of: port, to: own) else { return nil }
                if !users.isEmpty { return users }
            }
            return []
        #else
            return nil
        #endif
    }

    #if os(Linux)
        private static func usersInTables(of port: UInt16, to own: UInt16) -> [UInt32]? {
            var users: [UInt32] = []
            var isTold = false
            for table in ["/proc/net/tcp", "/proc/net/tcp6"] {
                guard let bytes = try? Data(contentsOf: URL(filePath: table)) else { continue }
                isTold = true
                users += Self.users(of: port, to: own, in: Array(bytes))
            }
            return isTold ? users : nil
        }
    #endif

    /// - Parameter table: lines of number, local address, remote address, state (01 is open), two columns of queues and
    ///   timers, one of retries, and user. Sockets of connections that are about to end have no user any more.
    static func users(of port: UInt16, to own: UInt16, in table: [UInt8]) -> [UInt32] {
        let wanted = (Array(":\(hexadecimal(port))".utf8), Array(":\(hexadecimal(own))".utf8))
        var users: [UInt32] = []
        // Tables may have thousands of lines: only relevant ones are converted to text.
        for line in table.split(separator: 10) {
            let columns = line.split(separator: 32, maxSplits: 4)
            guard columns.count == 5, columns[1].suffix(5) == wanted.0[...], columns[2].suffix(5) == wanted.1[...],
                columns[3].elementsEqual("01".utf8)
            else { continue }
            let rest = String(decoding: columns[4], as: UTF8.self).split(separator: " ")
            if rest.count > 3, let user = UInt32(rest[3]) { users.append(user) }
        }
        return users
    }

    private static func hexadecimal(_ port: UInt16) -> String {
        let digits = String(port, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }

    /// Returns whether a user's programs act for people at this machine: those of root, of the server's account and of
    /// personal accounts. Other services' programs, including proxies, may act on anyone's behalf.
    public static func isOfPerson(_ user: UInt32) -> Bool {
        user == 0 || user == geteuid() || (1_000..<60_000).contains(user)
    }
}

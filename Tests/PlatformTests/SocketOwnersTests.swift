import Testing

@testable import Platform

@Suite struct `The owners of sockets` {
    /// As Linux writes it: two connections from port 40000 (9C40) to 8080 (1F90), of which one is about to end, the server's
    /// own end of the first, somebody else's, and one that listens.
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 1 1 0 100 0 0 10 0
           1: 0100007F:9C40 0100007F:1F90 01 00000000:00000000 00:00000000 00000000    33        0 2 1 0 20 4 30 10 -1
           2: 0200007F:9C40 0100007F:1F90 05 00000000:00000000 00:00000000 00000000     0        0 0 1 0 20 4 30 10 -1
           3: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000   998        0 3 1 0 20 4 30 10 -1
         100: 0100007F:9C41 0100007F:1F90 01 00000000:00000000 00:00000000 00000000  1000        0 4 1 0 20 4 30 10 -1
        """

    @Test func `are told by both ports, where the connection is open`() {
        let table = Array(Self.table.utf8)
        #expect(SocketOwners.users(of: 40_000, to: 8_080, in: table) == [33])
        #expect(SocketOwners.users(of: 40_001, to: 8_080, in: table) == [1_000])
        #expect(SocketOwners.users(of: 40_002, to: 8_080, in: table).isEmpty)
        #expect(SocketOwners.users(of: 40_000, to: 8_081, in: table).isEmpty)
        #expect(SocketOwners.users(of: 40_000, to: 8_080, in: []).isEmpty)
    }

    @Test(arguments: [(0, true), (33, false), (101, false), (1_000, true), (61_184, false), (65_534, false)])
    func `are people, or services that ask for anybody`(user: UInt32, isPerson: Bool) {
        #expect(SocketOwners.isOfPerson(user) == isPerson)
    }
}

import Testing

@testable import HTTPServer

@Suite struct `Who of the slow clients gives way` {
    private static func share(_ holders: [(block: UInt32?, bytes: Int, rate: Int)]) -> SlowClientEviction {
        var share = SlowClientEviction()
        for (number, holder) in holders.enumerated() {
            share.note(
                number, holder.block.map { .version4($0) }, bytes: holder.bytes, rate: holder.rate)
        }
        return share
    }

    @Test func `is nobody while there is room`() {
        var share = Self.share([(1, 100, 1), (2, 100, 2), (nil, 100, 3)])
        let gone = share.giveWay(limit: 300, addressLimit: 100)
        #expect(gone == [] && share.bytes == 300)
    }

    @Test func `is the slowest first, and of the equally slow who holds most`() {
        var share = Self.share([(1, 100, 9), (2, 50, 1), (3, 70, 1), (4, 100, 8)])
        #expect(share.giveWay(limit: 280, addressLimit: 1_000) == [2])
        #expect(share.giveWay(limit: 200, addressLimit: 1_000) == [1])
        #expect(share.giveWay(limit: 199, addressLimit: 1_000) == [3])
        #expect(share.giveWay(limit: 0, addressLimit: 1_000) == [0])
        #expect(share.bytes == 0)
    }

    @Test func `is of an address that holds more than one may, however fast it is`() {
        var share = Self.share([(1, 100, 1), (2, 100, 90), (2, 100, 80), (2, 100, 70), (nil, 900, 1)])
        #expect(share.giveWay(limit: 10_000, addressLimit: 250) == [3])
        #expect(share.giveWay(limit: 10_000, addressLimit: 250) == [])
        // Who holds more than that alone goes too.
        #expect(share.giveWay(limit: 10_000, addressLimit: 99) == [0, 2, 1])
        #expect(share.bytes == 900)
    }

    @Test func `is nobody who has come to the end or holds less by now`() {
        var share = Self.share([(1, 100, 1), (2, 100, 2)])
        share.note(1, .version4(2), bytes: 50, rate: 2)
        #expect(share.giveWay(limit: 150, addressLimit: 1_000) == [])
        share.end(0)
        #expect(share.giveWay(limit: 50, addressLimit: 1_000) == [])
        #expect(share.giveWay(limit: 49, addressLimit: 1_000) == [1])
    }
}

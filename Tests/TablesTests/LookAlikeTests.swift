import OData
import Scalars
import StorageTesting
import Tables
import Testing

/// One look in two spellings.
private let composed = "\u{E9}"
private let apart = "e\u{301}"

@Suite struct `Texts that look alike` {
    @Test func `are two ids, values, names and installations`() {
        #expect(composed == apart)
        #expect(RowID.text(composed) != .text(apart) && Set([RowID.text(composed), .text(apart)]).count == 2)
        #expect(Value.text(composed) != .text(apart) && Value.text(apart) == .text(apart))
        #expect(Literal.text(composed) != .text(apart))
        #expect(Property(composed, .null) != Property(apart, .null))
        #expect(Expression.literal(.text(composed), at: 0) != .literal(.text(apart), at: 0))
        let table: Identifier = "todo"
        let keys = [composed, apart].compactMap { DeviceSighting.Key(installation: $0, table: table) }
        #expect(keys.count == 2 && Set(keys).count == 2)
    }

    @Test func `are installations of their own in the list of devices`() throws {
        let table: Identifier = "todo"
        let sightings = try [composed, apart, composed].enumerated().map { index, name in
            DeviceSighting(
                try #require(DeviceSighting.Key(installation: name, table: table)),
                seenAt: Instant(milliseconds: Int64(index)), generation: "v2")
        }
        let devices = Device.all(of: sightings)
        #expect(devices.map { Array($0.installation.utf8) } == [composed, apart].map { Array($0.utf8) })
        #expect(devices.map(\.tables.count) == [2, 1])
    }
}

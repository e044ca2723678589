import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What is kept of installations.
    public static let devices: [ConformanceCase] = [
        ConformanceCase("what is seen of an installation is kept, newest first") { bench in
            let devices = try await bench.open([.todo()]).devices
            let pull = DeviceSighting.Pull(at: at(9), stamp: at(5), rows: 50)
            let all = [
                DeviceSighting(
                    key("a"), seenAt: at(10), pull: pull, pushedAt: at(7), conflicts: 2, sdk: "ZUMO/3.1 é",
                    generation: "v2", user: "Google:77"),
                DeviceSighting(key("b"), seenAt: at(30), generation: "v3"),
                DeviceSighting(key("a", "Other"), seenAt: at(20), generation: "v2"),
            ]
            try await devices.record(all)
            let found = try await devices.devices(limit: 10)
            #expect(found.map(\.installation) == ["b", "a"])
            #expect(found[1].tables == [all[2], all[0]])
            #expect(found[1].lastSeen == at(20) && found[1].conflicts == 2 && found[1].user == "Google:77")
            #expect(try await devices.devices(limit: 1).map(\.installation) == ["b"])
        },
        ConformanceCase("a later sighting is added to what is kept, in whichever order they come") { bench in
            let devices = try await bench.open([.todo()]).devices
            let sightings = manySightings()
            var expected: [DeviceSighting] = []
            for order in [sightings, sightings.reversed()] {
                // Another installation for each order.
                let name = "order \(expected.count)"
                var sum: DeviceSighting?
                for sighting in order {
                    let own = sighting.of(name)
                    if sum?.add(own) == nil { sum = own }
                    try await devices.record([own])
                }
                expected.append(try #require(sum))
            }
            let kept = try await devices.devices(limit: 10).flatMap(\.tables)
            #expect(kept.sorted { $0.key.installation < $1.key.installation } == expected)
            let (first, second) = (expected[0], expected[1].of("order 0"))
            #expect(first == second)
            #expect(first.conflicts == 4 && first.seenAt == at(900) && first.pull?.stamp == at(77))
        },
        ConformanceCase("two servers of a database share what is kept", needs: .persistence) { bench in
            let one = try await bench.open([.todo()]).devices
            let other = try await bench.openBeside([.todo()]).devices
            try await one.record([DeviceSighting(key("a"), seenAt: at(1), conflicts: 1, generation: "v2")])
            try await other.record([DeviceSighting(key("a"), seenAt: at(2), conflicts: 2, generation: "v3")])
            for store in [one, other] {
                let device = try #require(try await store.devices(limit: 5).first)
                #expect(device.conflicts == 3 && device.generation == "v3" && device.lastSeen == at(2))
            }
        },
        ConformanceCase("servers record the same installations at once, in any order", needs: .persistence) { bench in
            let stores = [try await bench.open([.todo()]).devices, try await bench.openBeside([.todo()]).devices]
            let all = (0..<50).map { DeviceSighting(key("\($0)"), seenAt: at($0), conflicts: 1, generation: "v2") }
            try await withThrowingTaskGroup { group in
                for round in 0..<10 {
                    let sightings = round % 2 == 0 ? all : all.reversed()
                    group.addTask { try await stores[round / 2 % 2].record(sightings) }
                }
                try await group.waitForAll()
            }
            let devices = try await stores[0].devices(limit: 100)
            #expect(devices.count == 50 && devices.allSatisfy { $0.conflicts == 10 })
        },
        ConformanceCase("what was not seen for long is forgotten, and nothing else") { bench in
            let devices = try await bench.open([.todo()]).devices
            try await devices.record((0..<5).map { DeviceSighting(key("\($0)"), seenAt: at($0), generation: "v2") })
            #expect(try await devices.forgetDevices(unseenSince: at(3)) == 3)
            #expect(try await devices.forgetDevices(unseenSince: at(3)) == 0)
            #expect(try await devices.devices(limit: 10).map(\.installation) == ["4", "3"])
        },
        ConformanceCase("there are no more records than may be: those unseen for longest go") { bench in
            let devices = try await bench.open([.todo()]).devices
            let limit = DeviceLimits.records
            for start in stride(from: 0, to: limit + 6, by: 1_001) {
                try await devices.record(
                    (start..<min(start + 1_001, limit + 6)).map {
                        DeviceSighting(key("\($0)"), seenAt: at($0), generation: "v2")
                    })
            }
            let kept = try await devices.devices(limit: limit * 2)
            #expect(kept.count == limit && kept.last?.installation == "6")
        },
        ConformanceCase("changes behind a stamp are counted, tombstones too, up to a limit") { bench in
            let (store, table) = try await bench.open(.softTodo())
            var stamps: [Instant] = []
            for id in ["a", "b", "c"] {
                stamps.append(try #require(try await store.insert(id, in: table).row.updatedAt))
                bench.clock.move(byMilliseconds: 10)
            }
            try await store.delete("a", in: table)
            let places = stamps.map { TableProgress(table, $0) } + [TableProgress(table, bench.clock.now)]
            #expect(try await store.devices.countChanges(since: places, limit: 1_000) == [3, 2, 1, 0])
            #expect(try await store.devices.countChanges(since: places, limit: 2) == [2, 2, 1, 0])
            #expect(try await store.devices.countChanges(since: [], limit: 2) == [])
        },
    ]

    /// Figures of whole tables.
    public static let statistics: [ConformanceCase] = [
        ConformanceCase("the last change of a table is its newest stamp, also a tombstone's") { bench in
            var empty = TableDefinition.softTodo()
            empty.name = "Empty"
            let store = try await bench.open([.softTodo(), empty])
            let table = try #require(store.table(named: "TodoItem"))
            try await store.insert("a", in: table)
            bench.clock.move(byMilliseconds: 50)
            let last = try await store.insert("b", in: table).row.updatedAt
            #expect(try await store.statistics.lastChanges() == ["TodoItem": try #require(last)])
            bench.clock.move(byMilliseconds: 50)
            let deleted = try await store.delete("a", in: table).row.updatedAt
            #expect(try await store.statistics.lastChanges()["TodoItem"] == deleted)
        },
        ConformanceCase("the size of a table grows with its rows, and counts its indexes") { bench in
            var small = TableDefinition.todo()
            small.name = "Small"
            let store = try await bench.open([.todo { $0.indexes = [["text"]] }, small])
            let table = try #require(store.table(named: "TodoItem"))
            let before = try await store.statistics.sizes()
            for number in 0..<40 {
                try await store.insert("\(number)", ["text": .text(String(repeating: "é", count: 600))], in: table)
            }
            let after = try await store.statistics.sizes()
            let grown = try #require(after["TodoItem"]) - #require(before["TodoItem"])
            #expect(grown >= 40 * 1_200 && grown < 1 << 20, "\(grown)")
            #expect(after["Small"] == before["Small"])
        },
    ]
}

private func at(_ seconds: Int) -> Instant { Instant(milliseconds: 1_800_000_000_000 + Int64(seconds) * 1_000) }

private func key(_ installation: String, _ table: Identifier = "TodoItem") -> DeviceSighting.Key {
    guard let key = DeviceSighting.Key(installation: installation, table: table) else { fatalError("no key") }
    return key
}

extension DeviceSighting {
    fileprivate func of(_ installation: String) -> DeviceSighting {
        DeviceSighting(
            .init(installation: installation, table: self.key.table) ?? self.key, seenAt: seenAt, pull: pull,
            pushedAt: pushedAt, conflicts: conflicts, sdk: sdk, generation: generation, user: user)
    }
}

/// Sightings of one installation of every kind: each with other things missing.
private func manySightings() -> [DeviceSighting] {
    [
        DeviceSighting(key("x"), seenAt: at(100), pushedAt: at(100), conflicts: 3, generation: "v2", user: "Local:a"),
        DeviceSighting(
            key("x"), seenAt: at(200), pull: .init(at: at(200), stamp: at(40), rows: 50), sdk: "one", generation: "v2"),
        DeviceSighting(key("x"), seenAt: at(204), pull: .init(at: at(204), stamp: at(77), rows: 20), generation: "v2"),
        DeviceSighting(key("x"), seenAt: at(300), generation: "v1"),
        DeviceSighting(key("x"), seenAt: at(400), pushedAt: at(390), conflicts: 1, sdk: "two", generation: "v3"),
        DeviceSighting(key("x"), seenAt: at(900), pull: .init(at: at(900), stamp: nil, rows: 7), generation: "v3"),
    ]
}

extension TableStore {
    var devices: any DeviceStore {
        get throws { try #require(self as? any DeviceStore) }
    }

    var jobs: any JobStore {
        get throws { try #require(self as? any JobStore) }
    }

    var statistics: any StatisticsStore {
        get throws { try #require(self as? any StatisticsStore) }
    }
}

import Scalars
import Tables
import Testing

extension ConformanceCase {
    /// What a database knows of the time.
    public static let times: [ConformanceCase] = [
        ConformanceCase("the latest stamp is known until a time was believed, and then that") { bench in
            let (store, table) = try await bench.open(.todo())
            let times = try #require(store as? any TimeStore)
            #expect(try await times.timeReading().known == nil)
            let row = try await store.insert("a", in: table).row
            let stamp = try #require(row.updatedAt)
            #expect(try await times.timeReading().known == stamp)
            let believed = Instant(milliseconds: stamp.milliseconds - 5_000)
            try await times.remember(believed: believed)
            #expect(try await times.timeReading().known == believed)
        },
        ConformanceCase("a later time that was believed stays", needs: .persistence) { bench in
            let later = Instant(milliseconds: 1_900_000_000_000)
            for earlier in [later, Instant(milliseconds: 1_800_000_000_000)] {
                let times = try #require(try await bench.open([.todo()]) as? any TimeStore)
                try await times.remember(believed: earlier)
                #expect(try await times.timeReading().believed == later)
            }
        },
        ConformanceCase("tokens that a clock ahead had end later are ended by a later end") { bench in
            let (store, _) = try await bench.open(.todo())
            guard let users = store as? any UserStore else { return }
            #expect(try await users.addUser("ann", passwordHash: "x"))
            bench.clock.move(byMilliseconds: 1_000_000)
            #expect(try await users.endTokens(ofUser: "ann"))
            let ahead = try #require(try await users.account(ofUser: "ann")).tokensEndedAt
            bench.clock.move(byMilliseconds: -1_000_000)
            // A login is after the last end, whatever the clock says.
            #expect(try await users.endTokens(ofUser: "ann"))
            let first = try #require(try await users.account(ofUser: "ann")).tokensEndedAt
            #expect(try await users.setPasswordHash("y", ofUser: "ann"))
            let second = try #require(try await users.account(ofUser: "ann")).tokensEndedAt
            #expect(try await users.setAdmin(false, ofUser: "ann"))
            let third = try #require(try await users.account(ofUser: "ann")).tokensEndedAt
            #expect(ahead < first && first < second && second < third)
        },
        ConformanceCase("who wrote is forgotten without harm to who writes") { bench in
            let (store, table) = try await bench.open(.todo())
            try await store.insert("a", in: table)
            let times = try #require(store as? any TimeStore)
            for milliseconds in [Int64.min, 0, 1_000_000_000_000] {
                try await times.forgetWriters(before: Instant(milliseconds: milliseconds))
            }
            try await store.insert("b", in: table)
            #expect(try await store.list(TableQuery(limit: 5), in: table).rowCount == 2)
        },
    ]
}

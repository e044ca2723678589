import Scalars
import SeedTesting
import Tables
import Testing

extension ConformanceCase {
    /// Which server runs a job.
    public static let jobs: [ConformanceCase] = [
        ConformanceCase("a job is taken once for each of its times, and not while it runs") { bench in
            let jobs = try await bench.open([.todo()]).jobs
            func take(_ slot: Int64, at now: Int64, until end: Int64) async throws -> Bool {
                try await jobs.lease(
                    job: "clean", slot: slot, now: Instant(milliseconds: now), until: Instant(milliseconds: end))
            }
            #expect(try await take(10, at: 600_000, until: 630_000))
            // The same time again, and the next one while it runs.
            #expect(try await !take(10, at: 640_000, until: 670_000))
            #expect(try await !take(11, at: 620_000, until: 650_000))
            try await jobs.extendLease(of: "clean", slot: 10, until: Instant(milliseconds: 700_000))
            #expect(try await !take(11, at: 660_000, until: 690_000))
            // It has ended, or its server has.
            try await jobs.extendLease(of: "clean", slot: 10, until: Instant(milliseconds: 661_000))
            #expect(try await take(11, at: 661_000, until: 691_000))
            // Who held it before has no say any more.
            try await jobs.extendLease(of: "clean", slot: 10, until: Instant(milliseconds: 0))
            #expect(try await !take(12, at: 670_000, until: 700_000))
            #expect(
                try await jobs.lease(
                    job: "other", slot: 3, now: Instant(milliseconds: 0), until: Instant(milliseconds: 1)))
        },
        ConformanceCase("a job that a clock far ahead has begun runs when the clock is right again") { bench in
            let jobs = try await bench.open([.todo()]).jobs
            func take(_ slot: Int64) async throws -> Bool {
                let now = Instant(milliseconds: slot * 60_000)
                return try await jobs.lease(
                    job: "clean", slot: slot, now: now, until: Instant(milliseconds: now.milliseconds + 30_000))
            }
            let slot: Int64 = 29_000_000
            #expect(try await take(slot + 2 * 365 * 1_440))
            #expect(try await take(slot))
            #expect(try await !take(slot))
            // Not by a clock that is a little behind.
            #expect(try await !take(slot - 60))
        },
        ConformanceCase("of many servers that ask at once one takes a job") { bench in
            let jobs = try await bench.open([.todo()]).jobs
            let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await jobs.lease(
                            job: "clean", slot: 5, now: Instant(milliseconds: 300_000),
                            until: Instant(milliseconds: 330_000))
                    }
                }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(taken == 1)
        },
        ConformanceCase("a job has one holder at a time, whenever its servers come") { bench in
            let jobs = try await bench.open([.todo()]).jobs
            var random = SeededGenerator.printed("leases of jobs")
            var now: Int64 = 29_000_000 * 60_000
            /// Who holds the job, for which of its times and until when.
            var held: (server: Int, slot: Int64, end: Int64)?
            /// For which of its times each server has begun it last.
            var slots: [Int: Int64] = [:]
            for _ in 0..<150 {
                now += .random(in: 0...40_000, using: &random)
                let server = Int.random(in: 0..<3, using: &random)
                let end = now + .random(in: 1...90_000, using: &random)
                if let slot = slots[server], random.chance(40) {
                    // It goes on, or ends; where another has the job by now, it has no say.
                    let end = random.chance(50) ? end : now
                    try await jobs.extendLease(of: "clean", slot: slot, until: Instant(milliseconds: end))
                    if held?.slot == slot { held?.end = end }
                    continue
                }
                let slot = now / 60_000 - .random(in: 0...1, using: &random)
                let isFree = held.map { $0.slot < slot && $0.end <= now } ?? true
                let isTaken = try await jobs.lease(
                    job: "clean", slot: slot, now: Instant(milliseconds: now), until: Instant(milliseconds: end))
                #expect(isTaken == isFree, "\(slot) at \(now), held: \(String(describing: held))")
                guard isTaken else { continue }
                slots[server] = slot
                held = (server, slot, end)
            }
        },
    ]
}

import Glibc

/// Runs something many times and tells the median: the processor's time of the whole process, which other programs on
/// the machine hardly change, and the time that passed.
struct Measurement {
    /// How many rounds the median is of.
    private static let rounds = 15
    /// How long a round should take, in nanoseconds of the processor.
    private static let roundLength: Int64 = 40_000_000

    private let name: String
    private var cpu: [Double] = []
    private var wall: [Double] = []

    private init(_ name: String) {
        self.name = name
    }

    /// Measures a call that doesn't suspend.
    static func run(_ name: String, _ body: () throws -> Void) rethrows {
        var measurement = Measurement(name)
        let count = try repetitions { count in for _ in 0..<count { try body() } }
        for _ in 0..<rounds {
            let start = Instants.now()
            for _ in 0..<count { try body() }
            measurement.add(Instants.now(), since: start, count)
        }
        measurement.show()
    }

    /// Measures a call that suspends, or one of several that run at once.
    /// - Parameter calls: how many operations one call of the body is.
    static func run(_ name: String, calls: Int = 1, _ body: () async throws -> Void) async rethrows {
        var measurement = Measurement(name)
        try await body()
        let start = Instants.now()
        try await body()
        let length = max(1, Instants.now().cpu - start.cpu)
        let count = Int(max(1, roundLength / length))
        for _ in 0..<rounds {
            let start = Instants.now()
            for _ in 0..<count { try await body() }
            measurement.add(Instants.now(), since: start, count * calls)
        }
        measurement.show()
    }

    /// How often something has to run to fill a round.
    private static func repetitions(_ body: (Int) throws -> Void) rethrows -> Int {
        var count = 1
        while true {
            let start = Instants.now()
            try body(count)
            let length = Instants.now().cpu - start.cpu
            if length > roundLength / 4 { return max(1, Int(Int64(count) * roundLength / length)) }
            count *= 4
        }
    }

    private mutating func add(_ end: Instants, since start: Instants, _ count: Int) {
        cpu.append(Double(end.cpu - start.cpu) / Double(count) / 1_000)
        wall.append(Double(end.wall - start.wall) / Double(count) / 1_000)
    }

    private func show() {
        let padding = String(repeating: " ", count: max(1, 52 - name.count))
        print("\(name)\(padding)\(Self.text(Self.median(cpu))) µs of CPU \(Self.text(Self.median(wall))) µs passed")
    }

    private static func median(_ values: [Double]) -> Double {
        values.sorted()[values.count / 2]
    }

    private static func text(_ microseconds: Double) -> String {
        let hundredths = Int((microseconds * 100).rounded())
        let text = "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100)"
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}

/// The two clocks, in nanoseconds.
private struct Instants {
    let cpu: Int64
    let wall: Int64

    static func now() -> Instants {
        Instants(cpu: read(CLOCK_PROCESS_CPUTIME_ID), wall: read(CLOCK_MONOTONIC))
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// Keeps the optimizer from leaving out what makes the value.
@inline(never) func keep<Value>(_ value: Value) {
    withExtendedLifetime(value) {}
}

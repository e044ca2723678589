import MetricSeries
import Testing
import WireTesting

@Suite struct `The page for Prometheus` {
    private let registry = MetricRegistry()

    private func page() throws -> MetricsText {
        try MetricsText(String(decoding: registry.page(help: ["a_total": "First\nline, and a \\."]), as: UTF8.self))
    }

    @Test func `is empty where nothing is measured`() {
        #expect(registry.page() == [])
    }

    @Test func `has every family once, with its type and all of its series`() throws {
        let labels = [("route", "tables"), ("method", "GET")]
        registry.counter("a_total", labels).increment(by: 2)
        registry.counter("a_total", labels.reversed()).increment()
        registry.counter("a_total", [("route", "api")]).increment()
        registry.gauge("b").set(-1.5)
        registry.gauge("c").add(1)
        let page = try page()
        #expect(page.types == ["a_total": "counter", "b": "gauge", "c": "gauge"])
        #expect(page.value("a_total", ["route": "tables", "method": "GET"]) == 3)
        #expect(page.value("a_total", ["route": "api"]) == 1)
        #expect(page.value("b") == -1.5)
        #expect(page.value("c") == 1)
        #expect(page.samples.count == 4)
    }

    @Test(arguments: [#"a"b"#, #"a\b"#, "a\nb", #"\""#, "é ü,}={", ""])
    func `escapes what a label's value may hold`(_ value: String) throws {
        registry.gauge("g", [("l", value), ("m", "x")]).set(1)
        #expect(try page().value("g", ["l": value, "m": "x"]) == 1)
    }

    @Test(arguments: [
        ("http.requests", "http_requests"), ("9lives", "_9lives"), ("", "_"), ("é", "__"), ("a:b", "a:b"),
    ])
    func `gives every name a form that Prometheus takes`(_ label: String, _ name: String) throws {
        registry.gauge(label, [(label, "x")]).set(1)
        #expect(try page().samples.map(\.name) == [name])
    }

    @Test(
        arguments: [
            (0, "0"), (1_700_000_000.123, "1700000000.123"), (-2, "-2"), (1e-7, "1e-07"), (1e300, "1e+300"),
            (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ] as [(Double, String)])
    func `writes numbers as Prometheus reads them`(_ value: Double, _ text: String) throws {
        registry.gauge("g").set(value)
        #expect(String(decoding: registry.page(), as: UTF8.self) == "# TYPE g gauge\ng \(text)\n")
        #expect(throws: Never.self) { try page() }
    }

    @Test func `a duration counts in its bucket and in all above, and a bound belongs to its bucket`() throws {
        let durations = registry.durations("d_seconds", [("route", "api")])
        for duration in [0, 100_000, 100_001, 3_000_000_000, 11_000_000_000] as [Int64] {
            durations.record(nanoseconds: duration)
        }
        let page = try page()
        func bucket(_ bound: String) -> Double? { page.value("d_seconds_bucket", ["route": "api", "le": bound]) }
        #expect(bucket("0.0001") == 2)
        #expect(bucket("0.00025") == 3)
        #expect(bucket("2.5") == 3)
        #expect(bucket("5") == 4)
        #expect(bucket("10") == 4)
        #expect(bucket("+Inf") == 5)
        #expect(page.value("d_seconds_count", ["route": "api"]) == 5)
        #expect(page.value("d_seconds_sum", ["route": "api"]) == 14.000_200_001)
    }

    @Test func `a family has one type, whatever is asked for under its name`() throws {
        registry.counter("x").increment()
        registry.gauge("x").set(7)
        #expect(try page().types == ["x": "counter"])
        #expect(try page().value("x") == 1)
    }

    @Test func `nothing is lost when many count at once`() async throws {
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask {
                    // Each with a handle of its own, and a page now and then.
                    let counter = registry.counter("n_total")
                    let gauge = registry.gauge("o")
                    let durations = registry.durations("t_seconds")
                    for number in 0..<1_000 {
                        counter.increment()
                        gauge.add(number.isMultiple(of: 2) ? 3 : -1)
                        durations.record(nanoseconds: Int64(number))
                        if number.isMultiple(of: 250) { #expect(throws: Never.self) { try page() } }
                    }
                }
            }
        }
        #expect(try page().value("n_total") == 8_000)
        #expect(try page().value("o") == 8_000)
        #expect(try page().value("t_seconds_count") == 8_000)
    }

    @Test func `a program reads as values what the page shows`() throws {
        registry.counter("a_total", [("route", "api")]).increment(by: 3)
        registry.gauge("b").set(0.5)
        registry.durations("c_seconds").record(nanoseconds: 2_000_000_000)
        let readings = registry.readings().sorted { $0.name < $1.name }
        #expect(readings.map(\.name) == ["a_total", "b", "c_seconds"])
        #expect(readings.map(\.labels) == [["route": "api"], [:], [:]])
        guard case .counter(3) = readings[0].value, case .gauge(0.5) = readings[1].value,
            case .durations(let counts, seconds: 2) = readings[2].value
        else {
            Issue.record("\(readings)")
            return
        }
        #expect(counts.first { $0.count > 0 }?.bound == 2.5)
        #expect(counts.last?.bound == .infinity && counts.last?.count == 1)
        #expect(registry.readings(of: "a_total").count == 1)
        #expect(registry.readings(of: "d").isEmpty)
    }
}

import Scripts
import Testing

@Suite struct `Schedules of jobs` {
    /// The minutes after 2024-02-28 00:00 UTC, a Wednesday of a leap year.
    private static let start: Int64 = 19_781 * 1_440

    private static let cases: [(String, [Int64])] = [
        ("* * * * *", [0, 1, 2, 3]),
        ("*/15 * * * *", [0, 15, 30, 45]),
        ("5-7 2 * * *", [125, 126, 127, 1_565]),
        ("10,50 23 * * *", [1_390, 1_430, 2_830]),
        ("0 3 29 2 *", [1_620]),
        ("0 0 1 3 *", [2_880]),
        ("0 0 * * 0", [5_760]),
        ("0 0 * * 7", [5_760]),
        ("0 12 * * 1-5", [720, 2_160, 3_600, 7_920]),
        // Where day of month and day of week are both given, either will do.
        ("0 0 29 * 6", [1_440, 4_320]),
        ("0 1/6 * * *", [60, 420, 780, 1_140]),
    ]

    @Test(arguments: cases)
    func `run when they say`(_ text: String, _ first: [Int64]) throws {
        let schedule = try #require(CronSchedule(text))
        let found = (0..<(7 * 1_440)).lazy.map { Int64($0) }.filter { schedule.includes(minute: Self.start + $0) }
        #expect(Array(found.prefix(first.count)) == first)
    }

    @Test(arguments: [
        "", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *", "* * * * 8", "5-3 * * * *",
        "*/0 * * * *", "a * * * *", "1,,2 * * * *", "-1 * * * *", "1/2/3 * * * *", "1-2-3 * * * *",
    ])
    func `are refused where they are none`(_ text: String) {
        #expect(CronSchedule(text) == nil)
    }

    @Test func `know the days before 1970`() throws {
        // 1969-12-31 was a Wednesday.
        #expect(try #require(CronSchedule("0 0 31 12 3")).includes(minute: -1_440))
        #expect(!(try #require(CronSchedule("0 0 1 1 *")).includes(minute: -1_440)))
    }
}

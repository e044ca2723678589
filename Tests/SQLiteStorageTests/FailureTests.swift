import Tables
import Testing

@testable import SQLiteStorage

@Suite struct `SQLite's failures` {
    /// The numbers are SQLite's extended result codes (sqlite.org/rescode.html).
    @Test(arguments: [Int32(13), 778, 4_874]) func `a disk without room is full`(code: Int32) {
        #expect(SQLiteFailure.error(code: code, message: "x") == .full)
    }

    @Test(arguments: [Int32(5), 6, 14, 266, 1_034, 1_546, 8, 1_032])
    func `a lock, a disk that fails and one that may not be written may pass`(code: Int32) {
        let detail = "SQLite \(code): x"
        #expect(SQLiteFailure.error(code: code, message: "x") == .unavailable(detail: detail))
    }

    @Test func `a list that was stopped took too long, and one that grew too large is too large`() {
        #expect(SQLiteFailure.error(code: 9, message: "x") == .timeout)
        #expect(SQLiteFailure.error(code: 18, message: "x") == .tooLarge)
    }

    @Test(arguments: [Int32(1), 11, 26]) func `anything else does not`(code: Int32) {
        #expect(SQLiteFailure.error(code: code, message: "x") == .failed(detail: "SQLite \(code): x"))
    }
}

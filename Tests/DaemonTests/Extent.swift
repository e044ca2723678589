import Foundation

/// How much tests try that are dear. With the program of a debug build, as in `make test`, it is a part; and whole where a
/// released program is named, as `make check` does: everything takes that one a fraction of the time.
enum Extent {
    /// Whether all is tried.
    static let isWhole = ProcessInfo.processInfo.environment["ZUMOD_TEST_PROGRAM"] != nil

    /// Why a test is left out.
    static let later = "make check tries it with the released program"

    /// How much of something is tried.
    static func whole<Value>(_ whole: Value, part: Value) -> Value { isWhole ? whole : part }
}

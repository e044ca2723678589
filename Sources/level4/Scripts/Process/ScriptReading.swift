/// What a worker has come to in reading the scripts, and whether that takes longer than it may.
struct ScriptReading: Sendable {
    /// The file that it is reading; nil before the first.
    private(set) var file: String?
    /// When it came to that.
    private var since: ContinuousClock.Instant
    /// When the worker was begun.
    private let begin: ContinuousClock.Instant

    /// How long a file may take by the clock where its code does next to nothing: it may wait for something that never
    /// comes.
    static let patience = Duration.seconds(60)

    init(at now: ContinuousClock.Instant) { (since, begin) = (now, now) }

    /// Records that it comes to a file.
    mutating func begin(_ file: String, at now: ContinuousClock.Instant) { (self.file, since) = (file, now) }

    /// Returns why it is to be ended; nil where it may read on.
    /// - Parameters:
    ///   - work: for how long it has had a processor since its start; nil if the system doesn't tell.
    ///   - limit: for how long it may have one.
    func fault(work: Duration?, limit: Duration, at now: ContinuousClock.Instant) -> String? {
        if let work, work > limit {
            return file.map { "\($0) does not come to its end: its code runs on when it is read" }
                ?? "it does not come to the scripts, however long it runs"
        }
        guard now - since > Self.patience else { return nil }
        // One that works gets the time for it, however little of the processor the machine leaves it.
        if let work, work > (now - begin) / 20 { return nil }
        return file.map { "\($0) does not come to its end: it was not read within a minute" }
            ?? "it did not read the scripts in time"
    }
}

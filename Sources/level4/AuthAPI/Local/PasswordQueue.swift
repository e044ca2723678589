/// The passwords waiting to be checked. Addresses take turns, so that many attempts from one delay those from another
/// by only one check.
struct PasswordQueue<Job: Identifiable> {
    /// The maximum number of waiting jobs per address, which is also the maximum of its attempts at once.
    static var mostOfAddress: Int { 30 }
    /// The maximum number of waiting jobs.
    static var mostWaiting: Int { 300 }

    /// The jobs by address, each list in order of arrival.
    private var jobs: [String: [Job]] = [:]
    /// The addresses with jobs, in the order of their turns.
    private var turns: [String] = []
    private(set) var count = 0

    /// Adds a job if there is room. If not, the address with the most jobs makes room for one that has none, so that no
    /// address can keep another out.
    /// - Returns: the job that is dropped: this one, or the newest of that address; nil if none is.
    mutating func add(_ job: Job, of address: String) -> Job? {
        let waiting = jobs[address]?.count ?? 0
        guard waiting < Self.mostOfAddress else { return job }
        var given: Job?
        if count >= Self.mostWaiting {
            guard waiting == 0, let longest = jobs.max(by: { $0.value.count < $1.value.count }),
                longest.value.count > 1, let newest = longest.value.last
            else { return job }
            given = remove(newest.id)
        }
        if waiting == 0 { turns.append(address) }
        jobs[address, default: []].append(job)
        count += 1
        return given
    }

    /// Removes the job whose turn it is.
    mutating func next() -> Job? {
        guard let address = turns.first, let job = jobs[address]?.first else { return nil }
        turns.removeFirst()
        drop(from: address) { $0.id == job.id }
        if jobs[address] != nil { turns.append(address) }
        return job
    }

    /// Removes a job out of turn; nil if it isn't waiting any more.
    mutating func remove(_ id: Job.ID) -> Job? {
        removeAll { $0.id == id }.first
    }

    /// Removes all jobs that satisfy a condition.
    mutating func removeAll(where isMeant: (Job) -> Bool) -> [Job] {
        var removed: [Job] = []
        for (address, waiting) in jobs where waiting.contains(where: isMeant) {
            removed += waiting.filter(isMeant)
            drop(from: address, where: isMeant)
        }
        turns.removeAll { jobs[$0] == nil }
        return removed
    }

    private mutating func drop(from address: String, where isMeant: (Job) -> Bool) {
        let before = jobs[address]?.count ?? 0
        jobs[address]?.removeAll(where: isMeant)
        let after = jobs[address]?.count ?? 0
        count -= before - after
        if after == 0 { jobs[address] = nil }
    }
}

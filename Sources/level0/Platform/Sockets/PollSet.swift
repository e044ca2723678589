/// A set of descriptors for poll(2).
struct PollSet {
    private var entries: [pollfd] = []
    /// The index of each descriptor's entry.
    private var places: [Int32: Int] = [:]
    private var ready: [pollfd] = []

    mutating func set(_ descriptor: Int32, to interest: Poller.Interest) {
        let entry = pollfd(fd: descriptor, events: Self.events(of: interest), revents: 0)
        if let place = places[descriptor] {
            entries[place] = entry
        } else {
            places[descriptor] = entries.count
            entries.append(entry)
        }
    }

    mutating func remove(_ descriptor: Int32) {
        guard let place = places.removeValue(forKey: descriptor), let last = entries.popLast() else { return }
        guard place < entries.count else { return }
        entries[place] = last
        places[last.fd] = place
    }

    mutating func wait(milliseconds: Int32) -> Int {
        let count = unsafe entries.withUnsafeMutableBufferPointer { entries in
            unsafe poll(entries.baseAddress, nfds_t(entries.count), milliseconds)
        }
        // A signal may interrupt the wait; then none is ready.
        ready = count > 0 ? entries.filter { $0.revents != 0 } : []
        return ready.count
    }

    func ready(at index: Int) -> Int32 {
        ready[index].fd
    }

    func leave(at index: Int) -> Poller.PeerClose {
        let entry = ready[index]
        let isOver = Int32(entry.revents) & Int32(POLLHUP | POLLERR | POLLNVAL) != 0
        #if os(Linux)
            if isOver { return .gone }
            return entry.revents & leaving != 0 ? .sending : .none
        #else
            // On those systems, a hang-up may be one-sided.
            guard isOver else { return .none }
            return Sockets.leave(of: entry.fd) == .gone ? .gone : .sending
        #endif
    }

    private static func events(of interest: Poller.Interest) -> Int16 {
        switch interest {
        case .reading: Int16(POLLIN) | leaving
        case .writing: Int16(POLLOUT)
        case .leaving: leaving
        }
    }
}

#if os(Linux)
    private let leaving = zumod_poll_leave
#else
    /// macOS reports the end of input as a hang-up, and only if that or input was requested.
    private let leaving = Int16(POLLHUP)
#endif

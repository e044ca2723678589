/// The descriptors that a loop waits for, level-triggered.
@safe public struct Poller: ~Copyable {
    /// By which of the system's ways a loop waits.
    public enum Kind: Sendable {
        /// epoll and eventfd, which Linux has alone.
        case epoll
        /// poll and a pipe, which every system has. It takes time that grows with the descriptors.
        case portable

        /// The better of those that exist.
        public static var best: Kind {
            #if os(Linux)
                .epoll
            #else
                .portable
            #endif
        }
    }

    /// What a descriptor is waited for.
    public enum Interest: Sendable {
        case reading, writing
        /// Only whether the other side goes, while its request is answered.
        case leaving
    }

    /// How far the other side of a socket has gone.
    public enum PeerClose: Sendable {
        case none
        /// It sends no more, and may be gone altogether.
        case sending
        /// It can't take an answer any more.
        case gone
    }

    #if os(Linux)
        private var epoll: EpollSet?
    #endif
    private var portable: PollSet?

    /// - Returns: nil if the system has no descriptor for it; errno says why.
    public init?(_ kind: Kind) {
        #if os(Linux)
            if kind == .epoll {
                guard let set = EpollSet() else { return nil }
                epoll = consume set
                return
            }
        #endif
        portable = PollSet()
    }

    /// By which way it waits.
    public var kind: Kind { portable == nil ? .epoll : .portable }

    /// Adds a descriptor.
    /// - Returns: false if the system has no room for it.
    public mutating func add(_ descriptor: Int32, for interest: Interest) -> Bool {
        #if os(Linux)
            if portable == nil { return epoll?.add(descriptor, for: interest) ?? false }
        #endif
        portable?.set(descriptor, to: interest)
        return true
    }

    /// Waits for something else of a descriptor that is in the set.
    public mutating func change(_ descriptor: Int32, to interest: Interest) -> Bool {
        #if os(Linux)
            if portable == nil { return epoll?.change(descriptor, to: interest) ?? false }
        #endif
        portable?.set(descriptor, to: interest)
        return true
    }

    /// Takes a descriptor out.
    public mutating func remove(_ descriptor: Int32) {
        #if os(Linux)
            if portable == nil {
                epoll?.remove(descriptor)
                return
            }
        #endif
        portable?.remove(descriptor)
    }

    /// To be called before closing a descriptor that may be in the set: epoll notices by itself.
    public mutating func willClose(_ descriptor: Int32) {
        portable?.remove(descriptor)
    }

    /// Waits until descriptors are ready.
    /// - Parameter milliseconds: the longest to wait; negative for without end.
    /// - Returns: how many are ready, to be asked for by `ready(at:)`.
    public mutating func wait(milliseconds: Int32) -> Int {
        #if os(Linux)
            if portable == nil { return epoll?.wait(milliseconds: milliseconds) ?? 0 }
        #endif
        return portable?.wait(milliseconds: milliseconds) ?? 0
    }

    /// One of the descriptors that are ready.
    public func ready(at index: Int) -> Int32 {
        #if os(Linux)
            if portable == nil { return epoll?.ready(at: index) ?? -1 }
        #endif
        return portable?.ready(at: index) ?? -1
    }

    /// How far its other side has gone.
    public func leave(at index: Int) -> PeerClose {
        #if os(Linux)
            if portable == nil { return epoll?.leave(at: index) ?? .none }
        #endif
        return portable?.leave(at: index) ?? .none
    }
}

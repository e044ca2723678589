/// A set of descriptors that a loop waits for, level-triggered.
@safe public struct Poller: ~Copyable {
    /// The system's mechanism for waiting.
    public enum Kind: Sendable {
        /// epoll and eventfd, which only Linux has.
        case epoll
        /// poll and a pipe, which every system has. Its cost grows with the number of descriptors.
        case portable

        /// The best available mechanism.
        public static var best: Kind {
            #if os(Linux)
                .epoll
            #else
                .portable
            #endif
        }
    }

    /// The event that a descriptor is waited for.
    public enum Interest: Sendable {
        case reading, writing
        /// Only whether the peer disconnects, while its request is being answered.
        case leaving
    }

    /// How far the peer of a socket has closed the connection.
    public enum PeerClose: Sendable {
        case none
        /// The peer sends no more, and may be gone altogether.
        case sending
        /// The peer can't receive an answer any more.
        case gone
    }

    #if os(Linux)
        private var epoll: EpollSet?
    #endif
    private var portable: PollSet?

    /// - Returns: nil if the system has no descriptors left; see errno.
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

    /// The mechanism in use.
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

    /// Changes the event that a descriptor in the set is waited for.
    public mutating func change(_ descriptor: Int32, to interest: Interest) -> Bool {
        #if os(Linux)
            if portable == nil { return epoll?.change(descriptor, to: interest) ?? false }
        #endif
        portable?.set(descriptor, to: interest)
        return true
    }

    /// Removes a descriptor.
    public mutating func remove(_ descriptor: Int32) {
        #if os(Linux)
            if portable == nil {
                epoll?.remove(descriptor)
                return
            }
        #endif
        portable?.remove(descriptor)
    }

    /// Must be called before closing a descriptor that may be in the set; epoll would notice by itself.
    public mutating func willClose(_ descriptor: Int32) {
        portable?.remove(descriptor)
    }

    /// Waits until descriptors are ready.
    /// - Parameter milliseconds: the maximum time to wait; negative for no limit.
    /// - Returns: the number of ready descriptors, for `ready(at:)`.
    public mutating func wait(milliseconds: Int32) -> Int {
        #if os(Linux)
            if portable == nil { return epoll?.wait(milliseconds: milliseconds) ?? 0 }
        #endif
        return portable?.wait(milliseconds: milliseconds) ?? 0
    }

    /// Returns a ready descriptor.
    public func ready(at index: Int) -> Int32 {
        #if os(Linux)
            if portable == nil { return epoll?.ready(at: index) ?? -1 }
        #endif
        return portable?.ready(at: index) ?? -1
    }

    /// Returns how far the peer of a ready descriptor has closed the connection.
    public func leave(at index: Int) -> PeerClose {
        #if os(Linux)
            if portable == nil { return epoll?.leave(at: index) ?? .none }
        #endif
        return portable?.leave(at: index) ?? .none
    }
}

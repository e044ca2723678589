#if os(Linux)
    /// A level-triggered epoll set.
    @safe struct EpollSet: ~Copyable {
        private let set: Descriptor
        private var events = unsafe [epoll_event](repeating: epoll_event(), count: 256)

        init?() {
            let number = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard number >= 0 else { return nil }
            set = Descriptor(number)
        }

        /// Adds a descriptor.
        /// - Returns: false if the system has no room for it.
        func add(_ descriptor: Int32, for interest: Poller.Interest) -> Bool {
            control(EPOLL_CTL_ADD, descriptor, interest)
        }

        func change(_ descriptor: Int32, to interest: Poller.Interest) -> Bool {
            control(EPOLL_CTL_MOD, descriptor, interest)
        }

        /// Removes a descriptor. A mask of 0 would not suffice: errors and hang-ups are always reported.
        func remove(_ descriptor: Int32) {
            _ = control(EPOLL_CTL_DEL, descriptor, .reading)
        }

        /// Waits until descriptors are ready.
        /// - Parameter milliseconds: the maximum time to wait; negative for no limit.
        /// - Returns: the number of ready descriptors, for `ready(at:)`.
        mutating func wait(milliseconds: Int32) -> Int {
            let number = set.number
            let count = unsafe events.withUnsafeMutableBufferPointer { events in
                unsafe epoll_wait(number, events.baseAddress, Int32(events.count), milliseconds)
            }
            // A signal may interrupt the wait; then none is ready.
            return max(0, Int(count))
        }

        func ready(at index: Int) -> Int32 {
            unsafe events[index].data.fd
        }

        func leave(at index: Int) -> Poller.PeerClose {
            let flags = unsafe events[index].events
            if flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { return .gone }
            return flags & EPOLLRDHUP.rawValue != 0 ? .sending : .none
        }

        private static func mask(of interest: Poller.Interest) -> UInt32 {
            switch interest {
            case .reading: EPOLLIN.rawValue | EPOLLRDHUP.rawValue
            case .writing: EPOLLOUT.rawValue
            case .leaving: EPOLLRDHUP.rawValue
            }
        }

        private func control(_ operation: Int32, _ descriptor: Int32, _ interest: Poller.Interest) -> Bool {
            var event = unsafe epoll_event()
            unsafe event.events = Self.mask(of: interest)
            unsafe event.data.fd = descriptor
            return unsafe epoll_ctl(set.number, operation, descriptor, &event) == 0
        }
    }
#endif

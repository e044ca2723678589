import Dispatch

/// Lets tasks wait without a thread until somebody opens it.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// Holds one thread until it is lifted.
struct Blockade: Sendable {
    private let blocked = DispatchSemaphore(value: 0)
    private let lifted = DispatchSemaphore(value: 0)

    func block() {
        blocked.signal()
        lifted.wait()
    }

    func waitUntilBlocked() { blocked.wait() }

    func lift() { lifted.signal() }
}

import Foundation
import Synchronization

/// Sends on a thread of its own, so that the test can receive meanwhile.
final class Sender: Sendable {
    private let isDone = Atomic<Bool>(false)
    private let isCut = Atomic<Bool>(false)

    /// - Parameter trickle: pieces to send after the bytes, with a short pause before each, until one fails.
    init(_ client: RawClient, _ bytes: [UInt8], pausing trickle: [[UInt8]] = []) {
        try? client.establish()
        Thread { [self] in
            try? client.send(bytes)
            for piece in trickle {
                usleep(10_000)
                guard (try? client.send(piece)) != nil else {
                    isCut.store(true, ordering: .relaxed)
                    break
                }
            }
            isDone.store(true, ordering: .releasing)
        }.start()
    }

    /// Whether the connection ended before the last piece was sent, once all is done.
    var wasCut: Bool { isDone.load(ordering: .acquiring) && isCut.load(ordering: .relaxed) }

    func wait() {
        _ = eventually { isDone.load(ordering: .acquiring) }
    }
}

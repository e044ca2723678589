import Foundation
import Synchronization

/// Sends on a thread of its own, so that the test can receive meanwhile.
final class Sender: Sendable {
    private let isDone = Atomic<Bool>(false)

    /// - Parameter trickle: pieces to send after the bytes, with a short pause before each, until one fails.
    init(_ client: RawClient, _ bytes: [UInt8], pausing trickle: [[UInt8]] = []) {
        try? client.establish()
        Thread { [self] in
            try? client.send(bytes)
            for piece in trickle {
                usleep(10_000)
                guard (try? client.send(piece)) != nil else { break }
            }
            isDone.store(true, ordering: .releasing)
        }.start()
    }

    func wait() {
        _ = eventually { isDone.load(ordering: .acquiring) }
    }
}

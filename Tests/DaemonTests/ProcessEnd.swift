import Foundation

extension Process {
    /// Waits until it has ended. Foundation's own wait takes a whole core where another thread had started it.
    func waitForEnd() {
        while isRunning { usleep(2_000) }
    }
}

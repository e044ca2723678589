import Platform

/// A file that a worker and the server have open together: whose code runs in the worker, where it can be read while that
/// code runs, and which calls the worker has begun. It is closed with the last reference.
final class WorkerMarks: Sendable {
    /// The file.
    let descriptor: Int32

    /// - Returns: nil where no descriptor is left.
    init?() {
        descriptor = zumod_open_marks()
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// The call whose code runs, or was the last to run; nil for none.
    var running: Int? {
        let number = self[0]
        return number > 0 ? number : nil
    }

    /// The last call that the worker has begun: it begins them in the order of their numbers.
    var begun: Int { self[1] }

    /// Has the worker begin no call up to a number that it has not begun by now.
    /// - Returns: the last that it has begun, or may be about to. Where that is not so, it says that it has left it out.
    func skip(upTo number: Int) -> Int {
        // First told, then asked, as the worker does it: whoever is later sees what the other has done.
        self[2] = number
        return begun
    }

    private subscript(place: Int) -> Int {
        get {
            var number = 0.0
            let count = unsafe withUnsafeMutableBytes(of: &number) {
                unsafe pread(descriptor, $0.baseAddress, $0.count, off_t(8 * place))
            }
            return count == 8 ? Int(exactly: number) ?? 0 : 0
        }
        set {
            var number = Double(newValue)
            _ = unsafe withUnsafeBytes(of: &number) {
                unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(8 * place))
            }
        }
    }
}

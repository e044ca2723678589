import Platform

/// A file that a worker and the server have open together: whose code runs in the worker, where it can be read while that
/// code runs, which calls the worker has begun, and which have done something beside what they asked of the server. It is
/// closed with the last reference.
final class WorkerSharedState: Sendable {
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
        // Never back: what was given away before is begun elsewhere.
        self[2] = max(self[2], number)
        return begun
    }

    /// How many calls have a place of their own; those of a worker that are under way are fewer.
    private static let places = 4096
    /// The first of the places where the worker says who has acted, and of those where the server says who was moved.
    private static let (acted, moved) = (8, 8 + places)

    /// Whether a call has done, or is about to do, something that others can notice.
    func hasActed(_ number: Int) -> Bool {
        // A higher number stands there for a later call, which says nothing of this one: it is taken for one that has.
        self[3] >= number || self[Self.acted + number % Self.places] >= number
    }

    /// Has a call that was begun do nothing from now on that others can notice, where it has done nothing so far.
    /// - Returns: whether that is so.
    func move(_ number: Int) -> Bool {
        // First told, then asked, here too.
        self[Self.moved + number % Self.places] = number
        return !hasActed(number)
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

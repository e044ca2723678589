/// What an event loop does between two waits for its sockets. Requests that are answered in one iteration may share
/// what is expensive to start.
///
/// Only used on the loop's thread.
public final class LoopIteration {
    /// Something that requests of one iteration share.
    public protocol Share: AnyObject {
        /// Called once, before the loop waits again.
        func turnEnds()
    }

    private var shares: [any Share] = []

    /// Creates the state of a loop that runs on the calling thread from now on.
    public init() {
        unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        pthread_setspecific(Self.key, nil)
    }

    /// The current iteration of the loop on the calling thread; nil on any other thread.
    public static var current: LoopIteration? {
        guard let iteration = unsafe pthread_getspecific(key) else { return nil }
        return unsafe Unmanaged<LoopIteration>.fromOpaque(iteration).takeUnretainedValue()
    }

    /// Returns what the requests of this iteration share: the object of a type that meets a condition.
    public func shared<Kind: Share>(as kind: Kind.Type, where isIt: (Kind) -> Bool) -> Kind? {
        for share in shares {
            if let known = share as? Kind, isIt(known) { return known }
        }
        return nil
    }

    /// Shares an object until the end of the iteration. A shared object of the same type is ended.
    public func keep<Kind: Share>(_ share: Kind) {
        if let place = shares.firstIndex(where: { $0 is Kind }) { shares.remove(at: place).turnEnds() }
        shares.append(share)
    }

    /// Ends the iteration, and starts the next one.
    public func end() {
        // Ending one may start another: the end of a transaction is logged.
        while !shares.isEmpty {
            let ending = shares
            shares.removeAll(keepingCapacity: true)
            for share in ending { share.turnEnds() }
        }
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()
}

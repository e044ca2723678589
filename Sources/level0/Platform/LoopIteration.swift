/// What one event loop does between two waits for its sockets. Requests that are answered in one turn may share what is
/// expensive to begin.
///
/// Used on the loop's thread only.
public final class LoopIteration {
    /// Something that requests of one turn share.
    public protocol Share: AnyObject {
        /// Called once, before the loop waits again.
        func turnEnds()
    }

    private var shares: [any Share] = []

    /// A turn of the loop that runs on the caller's thread from now on.
    public init() {
        unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        pthread_setspecific(Self.key, nil)
    }

    /// The turn of the loop on whose thread the caller runs; nil on any other thread.
    public static var current: LoopIteration? {
        guard let turn = unsafe pthread_getspecific(key) else { return nil }
        return unsafe Unmanaged<LoopIteration>.fromOpaque(turn).takeUnretainedValue()
    }

    /// What the requests of this turn share so far: of its kind the one for which the condition holds.
    public func shared<Kind: Share>(as kind: Kind.Type, where isIt: (Kind) -> Bool) -> Kind? {
        for share in shares {
            if let known = share as? Kind, isIt(known) { return known }
        }
        return nil
    }

    /// Shares something until the end of the turn. What was shared of its kind before is over.
    public func keep<Kind: Share>(_ share: Kind) {
        if let place = shares.firstIndex(where: { $0 is Kind }) { shares.remove(at: place).turnEnds() }
        shares.append(share)
    }

    /// Ends the turn, and begins the next one.
    public func end() {
        // The end of one may begin another: that of a transaction is told to the log.
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

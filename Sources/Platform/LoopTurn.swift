/// What one event loop does between two waits for its sockets. Requests that are answered in one turn may share what is
/// dear to begin.
///
/// Used on the loop's thread only.
public final class LoopTurn {
    /// Something that requests of one turn share.
    public protocol Share: AnyObject {
        /// Called once, before the loop waits again.
        func turnEnds()
    }

    private var share: (any Share)?

    /// A turn of the loop that runs on the caller's thread from now on.
    public init() {
        unsafe pthread_setspecific(Self.key, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        pthread_setspecific(Self.key, nil)
    }

    /// That of the loop on whose thread the caller runs; nil on any other thread.
    public static var current: LoopTurn? {
        guard let turn = unsafe pthread_getspecific(key) else { return nil }
        return unsafe Unmanaged<LoopTurn>.fromOpaque(turn).takeUnretainedValue()
    }

    /// What the requests of this turn share so far: of its kind the one for which the condition holds.
    public func shared<Kind: Share>(as kind: Kind.Type, where isIt: (Kind) -> Bool) -> Kind? {
        guard let known = share as? Kind, isIt(known) else { return nil }
        return known
    }

    /// Shares something until the end of the turn, in the place of what was shared before.
    public func keep(_ share: some Share) {
        end()
        self.share = share
    }

    /// Ends the turn, and begins the next one.
    public func end() {
        guard let ending = share else { return }
        share = nil
        ending.turnEnds()
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        unsafe pthread_key_create(&key, nil)
        return key
    }()
}

import Synchronization

// Which calls a worker gives back, to be begun in another one: what it has not come to, and what has done nothing that
// anybody could notice.
extension ScriptWorker {
    /// Has others do what it has not come to, once it doesn't answer; after a long silence also what has done nothing yet but
    /// isn't what runs.
    func giveAway() {
        let (moved, isLong) = state.withLock { state -> ([Int: Pending], Bool) in
            guard let marks = state.process?.marks, state.silence > Self.patience else { return ([:], false) }
            let isLong = state.hasWorked(for: Self.longSilence)
            // Up to the first that stays, as the worker leaves out all that stand before a number.
            let begunBefore = marks.begun
            let kept = state.calls.filter { $0.key > begunBefore && !$0.value.mayMove }.keys.min()
            let last = (kept ?? state.nextCall) - 1
            let (begun, running) = (marks.skip(upTo: last), marks.running)
            let moved = state.calls.filter { number, call in
                guard call.mayMove else { return false }
                if number > begun { return number <= last }
                return isLong && running != nil && number != running && !call.hasActed && marks.move(number)
            }
            // What those changed here that were begun, such as a module's variables, ends with this process.
            if moved.keys.contains(where: { $0 <= begun }) { state.isRetiring = true }
            for number in moved.keys { state.calls.removeValue(forKey: number) }
            return (moved, isLong)
        }
        for (number, call) in moved {
            if isLong { send(.cancel(call: number)) }
            call.heard(number, .moved(isSuspect: false))
        }
        retireIfIdle()
    }

    /// Gives a call up whose time is over though others' code took it from it, where it has done nothing yet: it can be begun
    /// in another worker.
    /// - Returns: whether that is so.
    func release(_ number: Int) -> Bool {
        let isFree = state.withLock { state in
            guard let call = state.calls[number], let marks = state.process?.marks,
                state.silence > Self.patience, let running = marks.running, running != number
            else { return false }
            let isBegun = number <= marks.skip(upTo: state.nextCall - 1)
            guard !isBegun || !call.hasActed && marks.move(number) else { return false }
            state.calls.removeValue(forKey: number)
            if isBegun { state.isRetiring = true }
            return true
        }
        if isFree { send(.cancel(call: number)) }
        return isFree
    }
}

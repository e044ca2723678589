extension TextPattern {
    /// Whether the pattern matches anywhere in a text, in a time that grows with the length of both and no faster.
    public func matches(_ text: String) -> Bool {
        TextPatternMatcher(self).matches(text) { true } ?? false
    }
}

/// Searches texts for a pattern, one after another. What it learns from one is used for the next: which sets of steps
/// exist and which code point leads from one to which, up to a limit, at which it forgets everything and continues.
public final class TextPatternMatcher {
    private let program: TextPatternSteps
    private let classCount: Int
    /// The classes of the code points of ASCII.
    private let classes: [Int]
    private var states: [State] = []
    private var known: [State: Int32] = [:]
    /// Where each class leads from each state; `unknown` if that hasn't been computed.
    private var next: [Int32] = []
    private var memberCount = 0
    private var timesForgotten = 0
    /// Which steps were reached in this round.
    private var reached: [UInt32]
    private var round: UInt32 = 0
    private var pending: [Int] = []

    /// The steps that read or expect the end, and whether nothing has been read so far.
    private struct State: Hashable {
        let members: [Int32]
        let isStart: Bool
    }

    private static let unknown: Int32 = -1
    private static let matched: Int32 = -2
    /// Numbers that are kept, of each kind: a megabyte.
    private static let mostKept = 1 << 18

    /// Makes a matcher that knows nothing of texts yet.
    public init(_ pattern: TextPattern) {
        program = TextPatternSteps(pattern.root)
        classCount = program.bounds.count + 1
        classes = (0..<0x80).map { [program] in program.classOf($0) }
        reached = [UInt32](repeating: 0, count: program.steps.count + 1)
    }

    /// Whether the pattern matches anywhere in a text.
    /// - Parameter goesOn: asked every few thousand steps whether to continue.
    /// - Returns: nil if it was told to stop.
    public func matches(_ text: String, goesOn: () -> Bool) -> Bool? {
        let text = Array(text.utf8)
        var state = follow([], isStart: true)
        var place = 0
        var work = 0
        while state != Self.matched, place < text.count {
            var read = Int(text[place])
            place += 1
            if read < 0x80 { read = classes[read] } else { read = program.classOf(Self.scalar(read, in: text, &place)) }
            let known = next[Int(state) * classCount + read]
            if known == Self.unknown {
                state = look(from: state, read)
                work += program.steps.count + 1
            } else {
                state = known
                work += 1
            }
            if work > 10_000 {
                guard goesOn() else { return nil }
                work = 0
            }
        }
        return state == Self.matched || endsMatch(state)
    }

    /// The rest of a code point whose first byte was read; the text is UTF-8.
    private static func scalar(_ first: Int, in text: [UInt8], _ place: inout Int) -> UInt32 {
        let more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
        var value = UInt32(first) & (0x3F >> UInt32(more))
        for _ in 0..<more {
            value = value << 6 | UInt32(text[place] & 0x3F)
            place += 1
        }
        return value
    }

    private func look(from state: Int32, _ read: Int) -> Int32 {
        var behind: [Int] = []
        for member in states[Int(state)].members {
            if case .oneOf(let set) = program.steps[Int(member)], program.sets[set][read] {
                behind.append(Int(member) + 1)
            }
        }
        let before = timesForgotten
        let found = follow(behind, isStart: false)
        // Where all was forgotten, the state that led here has no number any more.
        if timesForgotten == before { next[Int(state) * classCount + read] = found }
        return found
    }

    /// Goes on from some steps, and from the first one, as a match may begin at every place.
    private func follow(_ places: [Int], isStart: Bool) -> Int32 {
        guard !reach(places + [0], isStart: isStart, isEnd: false) else { return Self.matched }
        var members: [Int32] = []
        for place in program.steps.indices where reached[place] == round {
            switch program.steps[place] {
            case .oneOf, .end: members.append(Int32(place))
            case .start, .jump, .fork: break
            }
        }
        return number(of: State(members: members, isStart: isStart))
    }

    private func number(of state: State) -> Int32 {
        if let number = known[state] { return number }
        if next.count + classCount > Self.mostKept || memberCount + state.members.count > Self.mostKept {
            states.removeAll(keepingCapacity: true)
            known.removeAll(keepingCapacity: true)
            next.removeAll(keepingCapacity: true)
            memberCount = 0
            timesForgotten += 1
        }
        let number = Int32(states.count)
        states.append(state)
        known[state] = number
        next.append(contentsOf: repeatElement(Self.unknown, count: classCount))
        memberCount += state.members.count
        return number
    }

    private func endsMatch(_ state: Int32) -> Bool {
        let state = states[Int(state)]
        let ends = state.members.filter { if case .end = program.steps[Int($0)] { true } else { false } }
        return reach(ends.map { Int($0) + 1 }, isStart: state.isStart, isEnd: true)
    }

    /// Marks the steps that are reached without reading.
    /// - Returns: whether the end of the pattern is among them.
    private func reach(_ places: [Int], isStart: Bool, isEnd: Bool) -> Bool {
        round &+= 1
        pending.removeAll(keepingCapacity: true)
        pending.append(contentsOf: places)
        while let place = pending.popLast() {
            guard reached[place] != round else { continue }
            reached[place] = round
            guard place < program.steps.count else { return true }
            switch program.steps[place] {
            case .oneOf: break
            case .start: if isStart { pending.append(place + 1) }
            case .end: if isEnd { pending.append(place + 1) }
            case .jump(let target): pending.append(target)
            case .fork(let first, let second): pending += [second, first]
            }
        }
        return false
    }
}

extension TextPattern {
    /// Returns whether the pattern matches anywhere in a text, in time proportional to the length of both.
    public func matches(_ text: String) -> Bool {
        TextPatternMatcher(self).matches(text) { true } ?? false
    }
}

/// Searches texts for a pattern, one after another. It builds a deterministic automaton as needed and keeps it for the
/// next text, up to a limit at which it forgets everything and starts over.
public final class TextPatternMatcher {
    private let program: TextPatternSteps
    private let classCount: Int
    /// The classes of the ASCII code points.
    private let classes: [Int]
    private var states: [State] = []
    private var known: [State: Int32] = [:]
    /// The next state for each state and class; `unknown` if that hasn't been computed.
    private var next: [Int32] = []
    private var memberCount = 0
    private var timesForgotten = 0
    /// The round in which each step was last reached.
    private var reached: [UInt32]
    private var round: UInt32 = 0
    private var pending: [Int] = []

    /// The steps that read a code point or expect the end, and whether nothing has been read so far.
    private struct State: Hashable {
        let members: [Int32]
        let isStart: Bool
    }

    private static let unknown: Int32 = -1
    private static let matched: Int32 = -2
    /// The maximum number of integers kept, of each kind: a megabyte.
    private static let mostKept = 1 << 18

    /// Creates a matcher with an empty cache.
    public init(_ pattern: TextPattern) {
        program = TextPatternSteps(pattern.root)
        classCount = program.bounds.count + 1
        classes = (0..<0x80).map { [program] in program.classOf($0) }
        reached = [UInt32](repeating: 0, count: program.steps.count + 1)
    }

    /// Returns whether the pattern matches anywhere in a text.
    /// - Parameter goesOn: asked every few thousand steps whether to continue.
    /// - Returns: nil if it was stopped.
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

    /// Reads the rest of a code point after its first byte; the text is valid UTF-8.
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
        // If the cache was cleared, the previous state no longer has a number.
        if timesForgotten == before { next[Int(state) * classCount + read] = found }
        return found
    }

    /// Returns the state after some steps, and the first one, as a match may begin anywhere.
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
    /// - Returns: whether they include the end of the pattern.
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

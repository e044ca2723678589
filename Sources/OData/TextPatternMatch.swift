extension TextPattern {
    /// Whether the pattern matches anywhere in a text, in a time that grows with the length of both and no faster.
    public func matches(_ text: String) -> Bool {
        var steps = TextPatternSteps()
        steps.append(root)
        return steps.match(text.unicodeScalars)
    }
}

/// A pattern as steps that are followed for all ways of matching at once (Thompson's construction).
private struct TextPatternSteps {
    private enum Step {
        case oneOf([ClosedRange<UInt32>], isNegated: Bool)
        case start
        case end
        case jump(Int)
        /// Goes on at both.
        case fork(Int, Int)
    }

    private var steps: [Step] = []

    mutating func append(_ node: TextPattern.Node) {
        switch node {
        case .oneOf(let ranges, let isNegated): steps.append(.oneOf(ranges, isNegated: isNegated))
        case .start: steps.append(.start)
        case .end: steps.append(.end)
        case .sequence(let parts): for part in parts { append(part) }
        case .choice(let branches): append(branches[...])
        case .repeated(let part, let least, let most):
            for _ in 0..<least { append(part) }
            guard let most else {
                let fork = steps.count
                steps.append(.jump(0))
                append(part)
                steps.append(.jump(fork))
                steps[fork] = .fork(fork + 1, steps.count)
                return
            }
            var forks: [Int] = []
            for _ in least..<most {
                forks.append(steps.count)
                steps.append(.jump(0))
                append(part)
            }
            for fork in forks { steps[fork] = .fork(fork + 1, steps.count) }
        }
    }

    private mutating func append(_ branches: ArraySlice<TextPattern.Node>) {
        guard let first = branches.first else { return }
        guard branches.count > 1 else { return append(first) }
        let fork = steps.count
        steps.append(.jump(0))
        append(first)
        let jump = steps.count
        steps.append(.jump(0))
        steps[fork] = .fork(fork + 1, steps.count)
        append(branches.dropFirst())
        steps[jump] = .jump(steps.count)
    }

    func match(_ text: String.UnicodeScalarView) -> Bool {
        var ways: [Int] = []
        var index = text.startIndex
        while true {
            let isEnd = index == text.endIndex
            var reached = [Bool](repeating: false, count: steps.count + 1)
            var waiting: [Int] = []
            // A match may begin at every place.
            for way in ways + [0] { follow(way, isStart: index == text.startIndex, isEnd, &reached, &waiting) }
            if reached[steps.count] { return true }
            guard !isEnd else { return false }
            let scalar = text[index].value
            ways = waiting.compactMap { place in
                guard case .oneOf(let ranges, let isNegated) = steps[place] else { return nil }
                return ranges.contains { $0.contains(scalar) } != isNegated ? place + 1 : nil
            }
            index = text.index(after: index)
        }
    }

    /// Goes on from a step without reading, and gathers the steps that want to read.
    private func follow(_ place: Int, isStart: Bool, _ isEnd: Bool, _ reached: inout [Bool], _ waiting: inout [Int]) {
        var pending = [place]
        while let place = pending.popLast() {
            guard !reached[place] else { continue }
            reached[place] = true
            guard place < steps.count else { return }
            switch steps[place] {
            case .oneOf: waiting.append(place)
            case .start: if isStart { pending.append(place + 1) }
            case .end: if isEnd { pending.append(place + 1) }
            case .jump(let target): pending.append(target)
            case .fork(let first, let second): pending += [second, first]
            }
        }
    }
}

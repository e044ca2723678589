/// A pattern as the steps of an automaton that follows all ways of matching at once (Thompson's construction).
struct TextPatternSteps {
    enum Step {
        /// Reads a code point in the set with this index.
        case oneOf(Int)
        case start
        case end
        case jump(Int)
        /// Continues at both.
        case fork(Int, Int)
    }

    private(set) var steps: [Step] = []
    /// The boundaries between classes of code points that the pattern treats alike; one class lies before the first.
    private(set) var bounds: [UInt32] = []
    /// For each set, which classes are in it.
    private(set) var sets: [[Bool]] = []
    private var written: [TextPattern.Node] = []

    init(_ root: TextPattern.Node) {
        append(root)
        var bounds: Set<UInt32> = []
        for case .oneOf(let ranges, _) in written {
            for range in ranges { bounds.formUnion([range.lowerBound, range.upperBound + 1]) }
        }
        self.bounds = bounds.sorted()
        let classes = [0] + self.bounds
        for case .oneOf(let ranges, let isNegated) in written {
            sets.append(classes.map { first in ranges.contains { $0.contains(first) } != isNegated })
        }
    }

    /// Returns the class of a code point.
    func classOf(_ codePoint: UInt32) -> Int {
        var (low, high) = (0, bounds.count)
        while low < high {
            let middle = (low + high) / 2
            if bounds[middle] <= codePoint { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private mutating func append(_ node: TextPattern.Node) {
        switch node {
        case .oneOf:
            if let place = written.firstIndex(of: node) {
                steps.append(.oneOf(place))
            } else {
                steps.append(.oneOf(written.count))
                written.append(node)
            }
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
}

/// Parses the pattern of `matchesPattern`.
struct TextPatternParser {
    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    private static let deepest = 20

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func pattern() throws(TextPattern.Fault) -> TextPattern.Node {
        let node = try choice()
        guard index == scalars.count else { throw fault("A group closes that never opened.") }
        return node
    }

    private func fault(_ sentence: String, at place: Int? = nil) -> TextPattern.Fault {
        let offset = scalars[..<(place ?? index)].reduce(0) { $0 + UTF8.width($1) }
        return TextPattern.Fault(offset: offset, sentence: sentence)
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard next == scalar else { return false }
        index += 1
        return true
    }

    private mutating func choice() throws(TextPattern.Fault) -> TextPattern.Node {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .choice(branches)
    }

    private mutating func sequence() throws(TextPattern.Fault) -> TextPattern.Node {
        var parts: [TextPattern.Node] = []
        while let scalar = next, scalar != "|", scalar != ")" {
            let place = index
            let part = try atom()
            parts.append(try counted(part, from: place))
        }
        return parts.count == 1 ? parts[0] : .sequence(parts)
    }

    private mutating func atom() throws(TextPattern.Fault) -> TextPattern.Node {
        let place = index
        guard let scalar = next else { throw fault("The pattern ends too early.") }
        index += 1
        switch scalar {
        case ".": return .oneOf(TextPattern.lineEnds, isNegated: true)
        case "^": return .start
        case "$": return .end
        case "[": return try set()
        case "(": return try group(from: place)
        case "\\":
            let (ranges, isNegated) = try escape()
            return .oneOf(ranges, isNegated: isNegated)
        case "*", "+", "?", "{": throw fault("There is nothing here to repeat.", at: place)
        default: return .oneOf([scalar.value...scalar.value], isNegated: false)
        }
    }

    private mutating func group(from place: Int) throws(TextPattern.Fault) -> TextPattern.Node {
        if take("?") {
            guard take(":") else { throw fault("Of groups with a ? only (?:…) is supported.", at: place) }
        }
        depth += 1
        defer { depth -= 1 }
        guard depth <= Self.deepest else { throw fault("Groups are nested deeper than \(Self.deepest).", at: place) }
        let node = try choice()
        guard take(")") else { throw fault("The group never closes.", at: place) }
        return node
    }

    /// Parses repetitions. Whether they are lazy or greedy doesn't affect whether there is a match.
    private mutating func counted(
        _ part: TextPattern.Node, from place: Int
    ) throws(TextPattern.Fault) -> TextPattern.Node {
        var node = part
        var isCounted = false
        while let scalar = next, ["*", "+", "?", "{"].contains(scalar) {
            guard !isCounted else { throw fault("There is nothing here to repeat.") }
            switch part {
            case .start, .end: throw fault("A place can't be repeated.")
            default: break
            }
            index += 1
            switch scalar {
            case "*": node = .repeated(part, least: 0, most: nil)
            case "+": node = .repeated(part, least: 1, most: nil)
            case "?": node = .repeated(part, least: 0, most: 1)
            default: node = try braces(part)
            }
            isCounted = true
            _ = take("?")
        }
        return node
    }

    private mutating func braces(_ part: TextPattern.Node) throws(TextPattern.Fault) -> TextPattern.Node {
        let place = index - 1
        let least = number()
        var most = least
        if take(",") { most = next == "}" ? nil : number() ?? -1 }
        guard let least, take("}"), most.map({ $0 >= least }) ?? true else {
            throw fault("A count is {2}, {2,} or {2,5}.", at: place)
        }
        guard max(least, most ?? 0) <= TextPattern.mostRepeated else {
            throw fault("A count is at most \(TextPattern.mostRepeated).", at: place)
        }
        return .repeated(part, least: least, most: most)
    }

    private mutating func number() -> Int? {
        var digits = ""
        while let scalar = next, ("0"..."9").contains(scalar), digits.count < 6 {
            digits.unicodeScalars.append(scalar)
            index += 1
        }
        return Int(digits)
    }

    /// Parses a bracketed class, after the opening bracket.
    private mutating func set() throws(TextPattern.Fault) -> TextPattern.Node {
        let place = index - 1
        let isNegated = take("^")
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = next, scalar != "]" {
            let start = index
            guard scalar != "[" else { throw fault("Write \\[ for a bracket inside brackets.") }
            guard let first = try member(into: &ranges) else { continue }
            guard next == "-", index + 1 < scalars.count, scalars[index + 1] != "]" else {
                ranges.append(first...first)
                continue
            }
            index += 1
            guard let last = try member(into: &ranges), first <= last else {
                throw fault("The range goes backwards.", at: start)
            }
            ranges.append(first...last)
        }
        guard take("]") else { throw fault("The brackets never close.", at: place) }
        guard !ranges.isEmpty else { throw fault("The brackets are empty.", at: place) }
        return .oneOf(ranges, isNegated: isNegated)
    }

    /// - Returns: nil if it was a class, which has then been added to the ranges.
    private mutating func member(
        into ranges: inout [ClosedRange<UInt32>]
    ) throws(TextPattern.Fault) -> UInt32? {
        guard let scalar = next else { return nil }
        index += 1
        guard scalar == "\\" else { return scalar.value }
        let place = index - 1
        let (found, isNegated) = try escape()
        guard !isNegated else { throw fault("\\D, \\W and \\S can't stand inside brackets.", at: place) }
        if found.count == 1, found[0].count == 1 { return found[0].lowerBound }
        ranges += found
        return nil
    }

    /// Parses what follows a backslash.
    private mutating func escape() throws(TextPattern.Fault) -> ([ClosedRange<UInt32>], isNegated: Bool) {
        let place = index - 1
        guard let scalar = next else { throw fault("A backslash ends the pattern.", at: place) }
        index += 1
        switch scalar {
        case "d": return (TextPattern.digits, false)
        case "D": return (TextPattern.digits, true)
        case "w": return (TextPattern.wordCharacters, false)
        case "W": return (TextPattern.wordCharacters, true)
        case "s": return (TextPattern.blanks, false)
        case "S": return (TextPattern.blanks, true)
        case "n": return ([10...10], false)
        case "r": return ([13...13], false)
        case "t": return ([9...9], false)
        case "0"..."9", "A"..."Z", "a"..."z":
            throw fault("`\\\(Character(scalar))` is not supported in a pattern.", at: place)
        default: return ([scalar.value...scalar.value], false)
        }
    }
}

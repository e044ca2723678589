import HTTPModel
import JSONText
import ZumoProtocol

/// A fault rule as tests write it: an object with what has to match, when it strikes, and one effect.
extension FaultRule {
    /// The longest delay, in milliseconds: ten minutes.
    static let longestDelay: Int64 = 600_000

    /// Reads a rule.
    init(_ body: [UInt8]) throws(RecordFault) {
        var members = try JSONMembers(of: body)
        self.init(try members.text("name") ?? "")
        guard name.utf8.count <= 100, name.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") }) else {
            throw .body("'name' has to be of at most 100 visible ASCII characters without a slash.")
        }
        try readMatch(&members)
        try readTurns(&members)
        if let milliseconds = try members.whole("delayMilliseconds", in: 0...Self.longestDelay) {
            delay = .milliseconds(milliseconds)
        }
        try readEffect(&members)
        try members.end()
        if effect == .refused, !match.isOpen || delay != .zero {
            throw .body("'refuse' is about connections, before anything of a request is known: it takes no condition.")
        }
        if effect == .refused, times == nil {
            throw .body("'refuse' takes 'times': once nobody can connect any more, nobody can remove the fault.")
        }
        if effect == .delayed, delay == .zero { throw .body(Self.noEffect) }
    }

    private static let noEffect = """
        The rule does nothing. It takes one of close, status, truncateBytes, bytesPerSecond, stale, overtake and refuse, \
        or delayMilliseconds.
        """

    private mutating func readMatch(_ members: inout JSONMembers) throws(RecordFault) {
        match.method = try members.text("method")?.uppercased()
        if let text = try members.text("path") {
            guard let glob = PathGlob(text) else {
                throw .body("'path' is longer than \(PathGlob.maximumLength) bytes.")
            }
            match.path = glob
        }
        match.table = try members.text("table")?.lowercased()
        match.operation = try members.choice("operation", of: FaultOperation.self)
        match.installation = try members.text("installation")?.lowercased()
    }

    private mutating func readTurns(_ members: inout JSONMembers) throws(RecordFault) {
        let most = Int64(1_000_000_000)
        var given: [Turns] = []
        if let nth = try members.whole("nth", in: 1...most) { given.append(.only(Int(nth))) }
        if let every = try members.whole("every", in: 1...most) { given.append(.every(Int(every))) }
        if let chance = try members.number("probability") {
            guard (0...1).contains(chance) else { throw .body("'probability' has to be from 0 to 1.") }
            given.append(.chance(chance))
        }
        guard given.count <= 1 else { throw .body("The rule takes one of nth, every and probability.") }
        turns = given.first ?? .every(1)
        times = try members.whole("times", in: 1...most).map { Int($0) }
    }

    private mutating func readEffect(_ members: inout JSONMembers) throws(RecordFault) {
        var given: [FaultEffect] = []
        if try members.boolean("refuse") == true { given.append(.refused) }
        if let point = try members.choice("close", of: FaultEffect.ClosingPoint.self) { given.append(.closed(point)) }
        let retryAfter = try members.whole("retryAfter", in: 0...86_400)
        if let code = try members.whole("status", in: 400...599) {
            guard let status = HTTPStatus(rawValue: Int(code)) else { throw .body("'status' is no status.") }
            given.append(.answered(status, retryAfter: retryAfter.map { Int($0) }))
        } else if retryAfter != nil {
            throw .body("'retryAfter' goes with 'status'.")
        }
        if let bytes = try members.whole("truncateBytes", in: 0...1_000_000_000) {
            given.append(.truncated(bytes: Int(bytes)))
        }
        if let bytes = try members.whole("bytesPerSecond", in: 1...1_000_000_000) {
            given.append(.throttled(bytesPerSecond: Int(bytes)))
        }
        if try members.boolean("stale") == true { given.append(.stale) }
        if let columns = try members.object("overtake") {
            for column in columns {
                switch column.value {
                case .array, .object: throw .body("'overtake' has columns, whose values are no arrays and no objects.")
                default: continue
                }
            }
            given.append(.overtaken(columns))
        }
        guard given.count <= 1 else { throw .body("A rule has one effect, and this one has \(given.count).") }
        effect = given.first ?? .delayed
    }
}

extension FaultPlan.Listed {
    /// The rule as it was written, with its counts.
    var json: JSONValue {
        let match = rule.match
        let members: [(String, JSONValue)] =
            [
                ("name", .string(rule.name)), ("method", JSONValue(match.method)),
                ("path", JSONValue(match.path?.text)), ("table", JSONValue(match.table)),
                ("operation", JSONValue(match.operation?.rawValue)), ("installation", JSONValue(match.installation)),
                turns, ("times", JSONValue(rule.times)),
                ("delayMilliseconds", rule.delay == .zero ? nil : .integer(Int64(rule.delay / .milliseconds(1)))),
            ] + effect + [("matched", JSONValue(met)), ("struck", JSONValue(struck))]
        return .object(members.filter { $0.1 != .null }.map { JSONMember($0, $1) })
    }

    private var turns: (String, JSONValue) {
        switch rule.turns {
        case .only(let turn): ("nth", JSONValue(turn))
        case .every(let count): ("every", JSONValue(count))
        case .chance(let chance): ("probability", .number(chance))
        }
    }

    private var effect: [(String, JSONValue)] {
        switch rule.effect {
        case .delayed: []
        case .refused: [("refuse", true)]
        case .closed(let point): [("close", .string(point.rawValue))]
        case .answered(let status, let retryAfter):
            [("status", JSONValue(status.rawValue)), ("retryAfter", JSONValue(retryAfter))]
        case .truncated(let bytes): [("truncateBytes", JSONValue(bytes))]
        case .throttled(let bytes): [("bytesPerSecond", JSONValue(bytes))]
        case .stale: [("stale", true)]
        case .overtaken(let columns): [("overtake", .object(columns))]
        }
    }
}

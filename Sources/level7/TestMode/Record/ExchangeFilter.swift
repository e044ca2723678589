import Exchanges
import HTTPModel
import Scalars
import ZumoProtocol

/// Which exchanges of a record to select.
struct ExchangeFilter: Sendable {
    /// A pattern for the path.
    var path: PathGlob?
    /// The names of methods, in capitals; empty for any.
    var methods: Set<String> = []
    /// The statuses of the answers; empty for any.
    var statuses: [Status] = []
    /// The name of the table, in any case.
    var table: String?
    /// Which fault struck, or that none did.
    var fault: Fault?
    /// Where to start.
    var since: Since?
    /// The maximum number of exchanges; the newest are kept.
    var limit: Int?

    /// The status of an answer.
    enum Status: Sendable, Equatable {
        case codes(ClosedRange<Int>)
        /// No answer: the connection was cut.
        case none
    }

    /// Whether a fault struck, and by which rule.
    enum Fault: Sendable, Equatable {
        case any, none
        case named(String)
    }

    /// Where the selection starts.
    enum Since: Sendable, Equatable {
        /// After the exchange of that number.
        case number(Int)
        /// At that time.
        case time(Instant)
    }

    /// Creates a filter that everything passes.
    init() {}

    /// Reads a filter from a query.
    /// - Parameter extra: parameters that the caller uses for something else.
    init(_ query: [QueryMember], besides extra: Set<String> = []) throws(RecordFault) {
        for member in query {
            switch member.name {
            // The caller has used it to find the record.
            case "world": continue
            case "path":
                guard let glob = PathGlob(member.value) else {
                    throw .query("'path' is longer than \(PathGlob.maximumLength) bytes.")
                }
                path = glob
            case "method": methods = Set(member.value.split(separator: ",").map { $0.uppercased() })
            case "status": statuses = try Self.statuses(member.value)
            case "table": table = member.value.lowercased()
            case "fault": fault = Self.fault(member.value)
            case "since": since = try Self.since(member.value)
            case "limit":
                guard let number = Int(member.value), number >= 0 else {
                    throw .query("'limit' has to be a whole number, and is '\(ErrorBody.excerpt(member.value))'.")
                }
                limit = number
            default:
                guard extra.contains(member.name) else {
                    throw .query("There is no parameter '\(ErrorBody.excerpt(member.name))'.")
                }
            }
        }
    }

    private static func statuses(_ text: String) throws(RecordFault) -> [Status] {
        var statuses: [Status] = []
        for part in text.split(separator: ",") {
            if part == "none" {
                statuses.append(.none)
            } else if let code = Int(part), (100...599).contains(code) {
                statuses.append(.codes(code...code))
            } else if part.count == 3, part.lowercased().hasSuffix("xx"), let hundred = part.first?.wholeNumberValue,
                (1...5).contains(hundred)
            {
                statuses.append(.codes((hundred * 100)...(hundred * 100 + 99)))
            } else {
                throw .query("'status' has to be as 412, 4xx or none, and is '\(ErrorBody.excerpt(text))'.")
            }
        }
        return statuses
    }

    private static func fault(_ text: String) -> Fault {
        switch text {
        case "*": .any
        case "": .none
        default: .named(text)
        }
    }

    private static func since(_ text: String) throws(RecordFault) -> Since {
        if let number = Int(text) { return .number(number) }
        if let time = Instant(text) { return .time(time) }
        throw .query("'since' has to be a request's number or a time, and is '\(ErrorBody.excerpt(text))'.")
    }

    /// Returns whether an exchange matches, regardless of the limit.
    func matches(_ exchange: Exchange) -> Bool {
        if !methods.isEmpty, !methods.contains(exchange.method.name.uppercased()) { return false }
        if let table, exchange.table?.lowercased() != table { return false }
        if !statuses.isEmpty, !statuses.contains(where: { $0.holds(for: exchange.answer) }) { return false }
        switch fault {
        case nil: break
        case .any: if exchange.fault == nil { return false }
        case .some(.none): if exchange.fault != nil { return false }
        case .named(let name): if exchange.fault != name { return false }
        }
        switch since {
        case nil: break
        case .number(let number): if exchange.number <= number { return false }
        case .time(let time): if exchange.start < time { return false }
        }
        return path?.matches(exchange.path) ?? true
    }
}

extension ExchangeFilter.Status {
    fileprivate func holds(for answer: ExchangeResponse?) -> Bool {
        switch self {
        case .none: answer == nil
        case .codes(let codes): answer.map { codes.contains($0.status.rawValue) } ?? false
        }
    }
}

extension ExchangeRecord {
    /// Returns the exchanges that match a filter, the newest last.
    func matching(_ filter: ExchangeFilter) -> [Exchange] {
        let matching = all.filter(filter.matches)
        return Array(matching.suffix(filter.limit ?? matching.count))
    }
}

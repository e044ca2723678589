import ByteText
import HTTPModel

/// Which requests go wrong, how often and how.
struct FaultRule: Sendable, Equatable {
    /// The name by which it is listed and removed.
    var name: String
    /// Which requests match; all of them by default.
    var match = Match()
    /// Which of the matching requests are struck.
    var turns = Turns.every(1)
    /// The number of strikes after which it does nothing; nil for no limit.
    var times: Int?
    /// How long a request waits before anything else happens, in real time.
    var delay: Duration = .zero
    /// What goes wrong.
    var effect = FaultEffect.delayed

    /// Creates a rule that matches every request and has no effect.
    init(_ name: String) {
        self.name = name
    }

    /// Which of the matching requests are struck.
    enum Turns: Sendable, Equatable {
        /// Only the request with this number, counted from 1.
        case only(Int)
        /// Every request, or every second, third and so on.
        case every(Int)
        /// Each request with this probability, by the world's random numbers.
        case chance(Double)
    }

    /// What a request has to be like; nil matches anything.
    struct Match: Sendable, Equatable {
        /// The method's name in capitals.
        var method: String?
        /// A pattern of the path.
        var path: PathGlob?
        /// The table's name in lower case.
        var table: String?
        /// What is done with the table.
        var operation: FaultOperation?
        /// `X-ZUMO-INSTALLATION-ID`, in lower case.
        var installation: String?

        /// Matches every request.
        init() {}

        /// Whether it matches every request.
        var isOpen: Bool { self == Match() }
    }
}

/// What a request does to a table, according to its method and path.
enum FaultOperation: String, Sendable, CaseIterable {
    case list, read, insert, update, replace, delete, undelete

    /// nil if the request isn't one to a table.
    init?(_ method: HTTPMethod, _ segments: [String]) {
        guard segments.first?.lowercased() == "tables" else { return nil }
        switch (method, segments.count) {
        case (.get, 2), (.head, 2): self = .list
        case (.get, 3), (.head, 3): self = .read
        case (.post, 2): self = .insert
        case (.post, 3): self = .undelete
        case (.patch, 3): self = .update
        case (.put, 3): self = .replace
        case (.delete, 3): self = .delete
        default: return nil
        }
    }
}

extension FaultRule.Match {
    /// Returns whether a request matches.
    func holds(for request: HTTPRequest, _ segments: [String]) -> Bool {
        if let method, request.method.name != method { return false }
        if let table {
            guard segments.count > 1, segments[0].lowercased() == "tables", segments[1].lowercased() == table else {
                return false
            }
        }
        if let operation, FaultOperation(request.method, segments) != operation { return false }
        if let installation,
            !(request.fields["X-ZUMO-INSTALLATION-ID"]?.lowercased()).isExactly(installation)
        {
            return false
        }
        return path?.matches("/" + segments.joined(separator: "/")) ?? true
    }
}

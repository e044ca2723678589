import ByteText
import HTTPModel

/// Which requests go wrong, how often, and in which way.
struct FaultRule: Sendable, Equatable {
    /// By what it is listed and removed.
    var name: String
    /// Which requests match; all if it says nothing.
    var match = Match()
    /// Which of the requests that are meant it strikes.
    var turns = Turns.every(1)
    /// After that many strikes it rests; nil for never.
    var times: Int?
    /// How long the request waits before anything else is done, in real time.
    var delay: Duration = .zero
    /// What goes wrong.
    var effect = FaultEffect.delayed

    /// A rule that strikes every request and does nothing.
    init(_ name: String) {
        self.name = name
    }

    /// Which of the requests that are meant are struck.
    enum Turns: Sendable, Equatable {
        /// The first, or the fifth, and no other.
        case only(Int)
        /// Each, each second, each third.
        case every(Int)
        /// Each by chance, drawn from the world's own numbers.
        case chance(Double)
    }

    /// What a request has to be like; nil where anything will do.
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

        /// Meets every request.
        init() {}

        /// Whether nothing is asked of a request.
        var isOpen: Bool { self == Match() }
    }
}

/// What a request asks of a table, as its method and path say.
enum FaultOperation: String, Sendable, CaseIterable {
    case list, read, insert, update, replace, delete, undelete

    /// nil if the request is not to a table.
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
    /// Whether a request is meant.
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

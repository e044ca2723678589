import HTTPModel
import Scalars

/// What a list's address says about a pull, the query by which clients ask for rows that have changed.
///
/// It only searches the text for words, which are the same in every generation except for `__` before a column's name:
/// without it v1 clients mean a column of the app's own. The list itself was answered by a parser.
struct PullQuery {
    /// The stamp from which rows were requested; nil for all rows.
    let start: Instant?
    /// Whether the rows are ordered by stamp, so that the last one is the latest.
    let isInOrder: Bool

    private static let column = "updatedat"

    /// - Parameter isServices: whether a v1 client asks.
    /// - Returns: nil if the address is not that of a pull.
    init?(_ target: [UInt8], inServices isServices: Bool) {
        guard Self.namesColumn(target), let target = try? RequestTarget(target) else { return nil }
        self.init(target, inServices: isServices)
    }

    /// - Parameter isServices: whether a v1 client asks.
    /// - Returns: nil if the address is not that of a pull.
    init?(_ target: RequestTarget, inServices isServices: Bool) {
        var bounds: [Instant?] = []
        var isInOrder = false
        for member in target.query {
            switch member.name.lowercased() {
            case "$filter", "filter": bounds = Self.bounds(in: member.value, isServices)
            case "$orderby", "orderby": isInOrder = Self.isAscending(member.value, isServices)
            default: continue
            }
        }
        // A first pull may ask for all rows, in the order that later ones use.
        guard !bounds.isEmpty || isInOrder else { return nil }
        start = bounds.compactMap(\.self).max()
        self.isInOrder = isInOrder
    }

    /// Whether the column's name occurs at all, which is rare except in pulls.
    private static func namesColumn(_ target: [UInt8]) -> Bool {
        let name = Array(column.utf8)
        guard target.count > name.count else { return false }
        return (0...target.count - name.count).contains { start in
            target[start] | 0x20 == name[0] && name.indices.allSatisfy { target[start + $0] | 0x20 == name[$0] }
        }
    }

    /// Returns the stamps after `updatedAt ge` and `updatedAt gt`; nil for one in an unknown form.
    private static func bounds(in filter: String, _ isServices: Bool) -> [Instant?] {
        let filter = filter.lowercased()
        var rest = filter[...]
        var bounds: [Instant?] = []
        while let name = rest.firstRange(of: column) {
            rest = rest[name.upperBound...]
            guard isWhole(behind: filter[..<name.lowerBound], isServices) else { continue }
            let words = rest.drop { $0 == " " }
            guard words.hasPrefix("ge ") || words.hasPrefix("gt ") else { continue }
            // `datetimeoffset'`, `datetime'` and `cast(`, or nothing.
            let literal = words.dropFirst(3).drop { $0.isLetter || $0 == "'" || $0 == "(" || $0 == " " }
            bounds.append(Instant(literal.prefix { "0123456789-:.tz+ ".contains($0) }.uppercased()))
        }
        return bounds
    }

    /// Whether the column's name, or `__` and the name, begins behind a text, and no other one with that ending.
    private static func isWhole(behind text: Substring, _ isServices: Bool) -> Bool {
        let isPrefixed = text.hasSuffix("__")
        guard isPrefixed || !isServices else { return false }
        let last = (isPrefixed ? text.dropLast(2) : text).last
        return last.map { !($0.isLetter || $0.isNumber || $0 == "_") } ?? true
    }

    private static func isAscending(_ order: String, _ isServices: Bool) -> Bool {
        let term = order.lowercased().split(separator: ",").first ?? ""
        let words = term.split(separator: " ")
        guard let name = words.first, name == "__\(column)" || !isServices && name == column else { return false }
        return !words.dropFirst().contains("desc")
    }
}

import OData
import Scalars
import Tables

/// One step of a differential run. What only one store knows, such as a version, is named by when it was written.
enum StoreOperation: CustomStringConvertible {
    case insert(RowID?, [Property], deleted: Bool)
    case update(RowID, RowUpdate, Condition)
    case delete(RowID, Condition)
    case find(RowID, select: [String]?, includeDeleted: Bool)
    case list(TableQuery, select: [String]?)

    /// A precondition in words that mean the same to every store.
    enum Condition {
        case none, current, unmatchable
        /// The version of some earlier write, counted around.
        case ofWrite(Int)
    }

    var description: String {
        switch self {
        case .insert(let id, let properties, let deleted):
            "insert \(id.map { "\($0)" } ?? "") \(Self.words(properties))\(deleted ? " deleted" : "")"
        case .update(let id, let update, let condition):
            """
            update \(id) \(Self.words(update.properties)) deleted: \(update.deleted.map { "\($0)" } ?? "as it is")\
            \(update.includesTombstones ? " with deleted" : "")\(update.renewsAlways ? " renewing" : "")\
            \(update.replaces ? " replacing" : "") if \(condition)
            """
        case .delete(let id, let condition): "delete \(id) if \(condition)"
        case .find(let id, let select, let includeDeleted):
            "find \(id) \(select ?? []) \(includeDeleted ? "with deleted" : "")"
        case .list(let query, let select):
            """
            list $filter=\(query.filter?.wireText ?? "") $orderby=\
            \(query.order.map { $0.expression.wireText + ($0.isDescending ? " desc" : "") }.joined(separator: ",")) \
            $skip=\(query.skip) limit \(query.limit) \(select ?? []) \(query.textComparison)\
            \(query.includeDeleted ? " with deleted" : "")\(query.wantsCount ? " counted" : "")
            """
        }
    }

    private static func words(_ properties: [Property]) -> String {
        "{" + properties.map { "\($0.name): \($0.value)" }.joined(separator: ", ") + "}"
    }
}

/// An operation, the table that it is for, and the scope of who asks for it.
struct StoreStep: CustomStringConvertible {
    let table: Identifier
    let operation: StoreOperation
    var scope: RowScope?

    var description: String {
        "\(table): \(operation)\(scope.map { " in scope \($0.words)" } ?? "")"
    }
}

/// What a store answered, with versions and stamps as the numbers of the writes that made them.
struct StoreAnswer: Equatable {
    var outcome = ""
    var rows: [[String]] = []

    static func == (left: StoreAnswer, right: StoreAnswer) -> Bool {
        // Byte by byte: Swift's own comparison takes the two spellings of é for the same.
        left.bytes == right.bytes
    }

    private var bytes: [[UInt8]] { [Array(outcome.utf8)] + rows.flatMap { [[]] + $0.map { Array($0.utf8) } } }
}

extension RowScope {
    fileprivate var words: String {
        condition.wireText + (writable.map { ", writable \($0.wireText)" } ?? "")
    }
}

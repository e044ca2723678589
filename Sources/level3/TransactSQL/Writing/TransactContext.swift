import ByteText
public import Scalars
public import Tables

/// The context for translating a statement of a script.
public struct TransactContext {
    /// Finds a served table, by its name in any case.
    public let table: (String) -> Table?
    /// The databases' time, constant throughout a script.
    public let now: Instant
    /// The number of rows written or returned by the previous statement.
    public var rowCount = 0
    /// The last id that a table has assigned to a row of the script, if it numbers its rows.
    public var identity = Value.null
    /// Whether that is needed.
    public var keepsIdentity = false
    private let script: StatementScript
    private var variables: [ExactText: (type: TransactType, value: Value)] = [:]
    private let parameters: [ExactText: Value]

    /// Creates the context of a script.
    public init(_ script: StatementScript, now: Instant, table: @escaping (String) -> Table?) {
        self.table = table
        self.now = now
        self.script = script
        parameters = Dictionary(
            script.named.map { (Self.folded($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    var names: TransactNames { script.prefixesSystemColumns ? .services : .plain }

    func value(ofPlaceholder index: Int, at place: TransactPlace) throws(StatementFault) -> Value {
        guard script.positional.indices.contains(index) else {
            throw place.fault("There is no parameter for `?` number \(index + 1).")
        }
        return script.positional[index].asParameter
    }

    func variable(_ name: TransactName) throws(StatementFault) -> (type: TransactType, value: Value) {
        let key = Self.folded(name.text)
        if let variable = variables[key] { return variable }
        guard let value = parameters[key]?.asParameter else {
            throw name.place.fault("There is no parameter or variable `@\(name.text)`.")
        }
        return (TransactType(value), value)
    }

    mutating func declare(_ name: TransactName, _ type: TransactType) throws(StatementFault) {
        let key = Self.folded(name.text)
        guard variables[key] == nil, parameters[key] == nil else {
            throw name.place.fault("`@\(name.text)` is there already.")
        }
        variables[key] = (type, .null)
    }

    /// Returns the type of a variable that may be set.
    func typeOfVariable(_ name: TransactName) throws(StatementFault) -> TransactType {
        guard let variable = variables[Self.folded(name.text)] else {
            throw name.place.fault("`@\(name.text)` is not declared.")
        }
        return variable.type
    }

    mutating func set(_ name: String, to value: Value) {
        variables[Self.folded(name)]?.value = value
    }

    private static func folded(_ name: String) -> ExactText {
        ExactText((name.beginsExactly("@") ? String(name.unicodeScalars.dropFirst()) : name).lowercased())
    }
}

extension Value {
    /// A number without a fraction is an integer to SQL Server, however JavaScript stores it.
    fileprivate var asParameter: Value {
        guard case .number(let number) = self else { return self }
        guard let whole = Int64(exactly: number), whole.magnitude < 1 << 53 else {
            return number.isFinite ? self : .null
        }
        return .integer(whole)
    }
}

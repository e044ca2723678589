import Tables

/// Writes rows as v1 clients read them: `__version` for `version`, `version` for `__own_version`, and without what they
/// did not ask for.
///
/// A conflict is answered with the whole row, and only the store can detect one, so a write has its row written both
/// ways.
struct ServicesRowJSON: RowVisitor {
    /// The rows with the columns asked for.
    var asked: RowJSON
    /// A single row with everything that its table has; without a member if it can't result in a conflict.
    private(set) var whole = RowJSON.single()
    /// The version of the last row visited, shown or not.
    private(set) var version: Version?
    private let shown: SystemProperties
    /// nil if no whole row is wanted.
    private let available: SystemProperties?
    private var isAsked: [Bool] = []
    private var isKnown: [Bool] = []
    private var cell = 0

    private init(asked: RowJSON, shown: SystemProperties, available: SystemProperties? = nil) {
        self.asked = asked
        self.shown = shown
        self.available = available
    }

    /// A writer of one row of a table that is only read.
    static func single(showing shown: SystemProperties, adding member: [UInt8] = []) -> ServicesRowJSON {
        ServicesRowJSON(asked: .single(adding: member), shown: shown)
    }

    /// A writer of a written row, or of the row that was in the way.
    static func written(_ table: Table, showing shown: SystemProperties) -> ServicesRowJSON {
        ServicesRowJSON(asked: .single(), shown: shown, available: SystemProperties.available(in: table))
    }

    /// A writer of a list.
    static func list(
        wrapped: Bool, showing shown: SystemProperties, within allowance: ResponseSizeLimit, adding member: [UInt8]
    ) -> ServicesRowJSON {
        ServicesRowJSON(asked: .list(wrapped: wrapped, within: allowance, adding: member), shown: shown)
    }

    mutating func begin(_ layout: RowLayout) {
        let fields = layout.fields
        isAsked = fields.map { Self.isVisible($0, shown) }
        asked.begin(zip(fields, isAsked).filter(\.1).map(\.0), spelled: \.nameInServices)
        isKnown = fields.map { field in available.map { Self.isVisible(field, $0) } ?? false }
        whole.begin(zip(fields, isKnown).filter(\.1).map(\.0), spelled: \.nameInServices)
    }

    private static func isVisible(_ field: Field, _ properties: SystemProperties) -> Bool {
        switch field {
        case .system(let column): SystemProperties(column).map(properties.contains) ?? true
        // A v2 client may have made a column of that name; two members of one name would be no object.
        case .own(let column): SystemProperties(wireName: column.name.text) == nil
        }
    }

    mutating func beginRow() {
        cell = 0
        asked.beginRow()
        whole.beginRow()
    }

    /// Writes the next cell where it belongs.
    mutating func visit(_ value: RowCell) {
        if value.kind == .version { version = Version(counter: value.whole) }
        if isAsked[cell] { asked.visit(value) }
        if isKnown[cell] { whole.visit(value) }
        cell += 1
    }

    mutating func endRow() {
        asked.endRow()
        whole.endRow()
    }

    var isFull: Bool { asked.isFull }
}

/// The columns that a statement's rows have, and what each row needs of them, made once.
public final class RowLayout: Sendable {
    /// The columns in order.
    public let fields: [Field]
    /// What comes before each cell of a JSON object, with the names that the fields have here.
    public let openings: MemberOpenings
    /// How cells are read that a store keeps as it pleases.
    public let kinds: [CellKind]
    /// Which cell is the id; -1 for none.
    public let idCell: Int

    /// What of a column decides how its cells are read.
    public enum CellKind: UInt8, Sendable {
        case version, boolean, number, decimal, date, other
    }

    /// Rows of these columns.
    public init(_ fields: [Field]) {
        self.fields = fields
        openings = MemberOpenings(fields.map(\.name))
        kinds = fields.map(CellKind.init)
        idCell = fields.firstIndex(of: .system(.id)) ?? -1
    }
}

// Sendable because nothing changes after the initializer.
/// The openings of a JSON object's members, `{"id":` or `,"text":`, one after the other; names need no escapes.
///
/// In memory of its own, so that who writes rows counts no reference for each of them.
@safe public final class MemberOpenings: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private let places: UnsafeMutableBufferPointer<Int>

    /// How many bytes follow the last opening, so that all can be copied sixteen at a time.
    private static let padding = 15

    /// - Parameter names: as they are written.
    public init(_ names: [String]) {
        var bytes: [UInt8] = []
        var ends: [Int] = []
        for name in names {
            bytes.append(ends.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: name.utf8)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
            ends.append(bytes.count)
        }
        bytes.append(contentsOf: repeatElement(0, count: Self.padding))
        unsafe memory = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
        _ = unsafe memory.initialize(fromContentsOf: bytes)
        unsafe places = UnsafeMutableBufferPointer<Int>.allocate(capacity: ends.count)
        _ = unsafe places.initialize(fromContentsOf: ends)
    }

    deinit {
        unsafe memory.deallocate()
        unsafe places.deallocate()
    }

    /// All of them with what follows. Valid as long as this object is.
    @unsafe public var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(memory) }
    /// Where each one ends. Valid as long as this object is.
    @unsafe public var ends: UnsafeBufferPointer<Int> { unsafe UnsafeBufferPointer(places) }
}

extension RowLayout.CellKind {
    fileprivate init(_ field: Field) {
        self =
            switch field {
            case .system(.version): .version
            case .system(.deleted): .boolean
            case .system(.createdAt), .system(.updatedAt): .date
            case .system(.id): .other
            case .own(let column):
                switch column.type {
                case .boolean: .boolean
                case .number: .number
                case .decimal: .decimal
                case .date: .date
                case .string, .integer, .dateOnly, .timeOnly: .other
                }
            }
    }
}

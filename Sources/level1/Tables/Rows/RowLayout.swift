/// The columns of a statement's rows, with what is needed to read and write each row, computed once.
public final class RowLayout: Sendable {
    /// The columns in order.
    public let fields: [Field]
    /// The text before each cell in a JSON object, with the fields' names as given here.
    public let openings: MemberOpenings
    /// How to read cells whose representation is up to the store.
    public let kinds: [CellKind]
    /// The index of the id's cell; -1 for none.
    public let idCell: Int

    /// The kinds of columns whose cells are read differently.
    public enum CellKind: UInt8, Sendable {
        case version, boolean, number, decimal, date, other
    }

    /// Creates the layout of these columns.
    public init(_ fields: [Field]) {
        self.fields = fields
        openings = MemberOpenings(fields.map(\.name))
        kinds = fields.map(CellKind.init)
        idCell = fields.firstIndex(of: .system(.id)) ?? -1
    }
}

// Sendable because nothing changes after the initializer.
/// The openings of a JSON object's members, `{"id":` or `,"text":`, concatenated; names need no escapes.
///
/// They are in manually managed memory, so that writing rows takes no reference counting for each.
@safe public final class MemberOpenings: @unchecked Sendable {
    private let memory: UnsafeMutableBufferPointer<UInt8>
    private let places: UnsafeMutableBufferPointer<Int>

    /// The number of bytes after the last opening, so that all can be copied sixteen at a time.
    private static let padding = 15

    /// - Parameter names: the names as written.
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

    /// All openings, with the padding. Valid during the lifetime of this object.
    @unsafe public var bytes: UnsafeBufferPointer<UInt8> { unsafe UnsafeBufferPointer(memory) }
    /// The end of each opening. Valid during the lifetime of this object.
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

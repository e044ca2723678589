/// Columns of a table's own that apps of Mobile Services call `createdAt`, `updatedAt`, `version` or `deleted`.
///
/// The server's columns began with `__` there, so these names were the apps'. They are the server's everywhere else,
/// where such a column is `__own_createdAt`: no v1 client can send a name like that, so there is one for the other.
public enum OwnColumnName {
    private static let prefix = "__own_"
    private static let plainNames: Set = ["createdat", "updatedat", "version", "deleted"]

    /// The column that goes by a name in Mobile Services: `__own_createdAt` for `createdAt`, in any case and as it is
    /// spelled.
    /// - Returns: nil for a name that is a column's everywhere.
    public static func column(inServices name: some StringProtocol) -> String? {
        isPlain(name) ? prefix + name : nil
    }

    /// The name of a column in Mobile Services: `createdAt` for `__own_createdAt`.
    /// - Returns: nil for a column that has one name everywhere.
    public static func nameInServices(of column: String) -> String? {
        let length = prefix.utf8.count
        guard column.utf8.first == UInt8(ascii: "_"), column.utf8.count > length else { return nil }
        let name = column.dropFirst(length)
        return column.prefix(length).lowercased() == prefix && isPlain(name) ? String(name) : nil
    }

    /// A sentence with the names that Mobile Services has for the columns in it.
    public static func wordsInServices(_ sentence: String) -> String {
        guard sentence.contains(prefix) else { return sentence }
        return sentence.replacing(/(?i)__own_(createdat|updatedat|version|deleted)\b/) { String($0.output.1) }
    }

    private static func isPlain(_ name: some StringProtocol) -> Bool {
        // Most names are of another length.
        (name.utf8.count == 7 || name.utf8.count == 9) && plainNames.contains(name.lowercased())
    }
}

import HTTPModel
public import Operating

/// The server to judge, and what of it may be used.
public struct ConformanceTarget: Sendable {
    /// The address, without a slash at its end.
    public let address: String
    /// A table with soft delete.
    public let table: String
    /// A table without soft delete.
    public let hardTable: String
    /// A table for users only.
    public let guardedTable: String
    let columns: [ColumnKind: String]
    /// Sent as X-ZUMO-APPLICATION.
    let key: String?
    /// Sent as X-ZUMO-MASTER.
    let masterKey: String?
    let userToken: String?
    /// How many rows may be made to see how a long list is cut.
    let pageRows: Int

    /// The columns of the tables that the official client suites expect.
    public static let usualColumns = "text=name,number=number,integer=integer,boolean=bool,date=date1"

    /// Reads what an operator specified.
    /// - Parameters:
    ///   - columns: `KIND=NAME,…`; a kind that is left out is not used.
    ///   - pageRows: 0 creates none.
    /// - Throws: `usage` if one of them makes no sense.
    public init(
        address: String, table: String, hardTable: String, guardedTable: String, columns: String, key: String?,
        masterKey: String?, userToken: String?, pageRows: Int
    ) throws(CommandFault) {
        let lowered = address.lowercased()
        let isAddress =
            (lowered.hasPrefix("http://") || lowered.hasPrefix("https://")) && !address.contains("?")
            && !address.contains("#") && address.utf8.allSatisfy { (33...126).contains($0) && $0 != 34 && $0 != 92 }
        guard isAddress, lowered.drop(while: { $0 != "/" }).count > 2 else {
            throw .usage("--against takes an address such as https://old.example, not `\(address)`")
        }
        var base = Substring(address)
        while base.last == "/" { base.removeLast() }
        self.address = String(base)
        for name in [table, hardTable, guardedTable] where !Self.isName(name) {
            throw .usage("`\(name)` can't be a table's name")
        }
        for secret in [key, masterKey, userToken].compactMap(\.self) {
            guard !secret.isEmpty, secret.utf8.allSatisfy({ (33...126).contains($0) }) else {
                throw .usage("a key or token is one word without blanks")
            }
        }
        guard (0...100_000).contains(pageRows) else { throw .usage("--page-rows takes a number from 0 to 100000") }
        self.columns = try Self.columns(columns)
        self.table = table
        self.hardTable = hardTable
        self.guardedTable = guardedTable
        self.key = key
        self.masterKey = masterKey
        self.userToken = userToken
        self.pageRows = pageRows
    }

    private static func isName(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "_"), UInt8(ascii: "-"): true
                default: false
                }
            }
    }

    private static func columns(_ text: String) throws(CommandFault) -> [ColumnKind: String] {
        var columns: [ColumnKind: String] = [:]
        for part in text.split(separator: ",") {
            let words = part.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
            guard words.count == 2, let kind = ColumnKind(rawValue: words[0]), isName(words[1]) else {
                let kinds = ColumnKind.allCases.map(\.rawValue).joined(separator: ", ")
                throw .usage("--columns takes KIND=NAME,… with the kinds \(kinds), not `\(part)`")
            }
            columns[kind] = words[1]
        }
        guard columns[.text] != nil else {
            throw .usage("--columns has to name a column of text, by which the checks tell their own rows")
        }
        return columns
    }

    /// Scheme, host and port.
    var origin: Substring {
        let hostStart = address.firstRange(of: "://")?.upperBound ?? address.startIndex
        return address[..<(address[hostStart...].firstIndex(of: "/") ?? address.endIndex)]
    }
}

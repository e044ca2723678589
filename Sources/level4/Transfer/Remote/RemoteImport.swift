import JSONText
public import Operating
package import Tables

/// `zumod import --from`: copies a table of another server through its table API.
///
/// Rows are read in the order of their stamps, from the last stamp that was reached. So an interrupted copy continues
/// where it was, and another run brings what was written since. A row's newer state wins.
public struct RemoteImport: Sendable {
    private let name: Identifier
    private let source: RemoteTable

    /// - Parameters:
    ///   - server: `https://old.example`, with a path if the API is below one.
    ///   - headers: `Name: value` each, for access.
    ///   - token: for `X-ZUMO-AUTH`.
    /// - Throws: `usage` if one of them can't be sent.
    public init(of table: String, from server: String, headers: [String], token: String?) throws(CommandFault) {
        guard let name = Identifier(table) else { throw .usage("`\(table)` can't be a table's name") }
        self.name = name
        source = try RemoteTable(name, at: server, headers: headers, token: token)
    }

    /// Copies the rows.
    /// - Parameters:
    ///   - note: says what is left to do for a table that was written.
    ///   - tell: receives progress for an operator who waits.
    /// - Returns: what was done, in words.
    package func run(
        on store: any TransferStore, noting note: (Table) -> String?, tell: @escaping (String) -> Void
    ) async throws(CommandFault) -> [String] {
        var copy = RemoteCopy(name, source, store, tell)
        try await copy.run()
        return copy.lines(noting: note)
    }
}

import JSONText
public import Operating
package import Tables

/// `zumod import --from`: copies a table of another server through its table API.
///
/// Rows are read in the order of their stamps, starting at the last stamp that was reached. So an interrupted copy
/// continues where it stopped, and another run copies later changes. A row's newer state wins.
public struct RemoteImport: Sendable {
    /// The table.
    package let name: Identifier
    private let source: RemoteTable

    /// - Parameters:
    ///   - server: a URL such as `https://old.example`, with a path if the API is below one.
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
    ///   - note: returns what the operator still has to do for a table that was written.
    ///   - tell: called with progress for an operator who waits.
    /// - Returns: a summary, in sentences.
    package func run(
        on store: any TransferStore, noting note: (Table) -> String?, tell: @escaping (String) -> Void
    ) async throws(CommandFault) -> [String] {
        var copy = RemoteCopy(name, source, store, tell)
        try await copy.run()
        return copy.lines(noting: note)
    }
}

public import Tables

extension TableStore {
    /// Inserts a row, and returns why the database refuses it; nil if it doesn't.
    public func refusal(
        ofInserting id: String, _ properties: KeyValuePairs<String, Value>, into table: Table
    ) async throws(TableError) -> RowRefusal? {
        do throws(TableError) {
            _ = try await insert(
                properties.map { Property($0.key, $0.value) }, id: .text(id), in: table, into: RecordedRows())
            return nil
        } catch {
            guard case .refused(let refusal, _) = error else { throw error }
            return refusal
        }
    }
}

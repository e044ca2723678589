import Tables

/// Where an old server kept the rows of a table, according to `schema` and `databaseTableName` in its definition. Here
/// each table is stored under its own name, so two tables can't share their rows.
struct LegacyContainer {
    private var name: ConfigurationValue?
    private var table: Identifier?
    private var schema: Identifier?

    /// A table and its container.
    struct Holder {
        let table: Identifier
        let path: String
        let container: LegacyContainer

        fileprivate func isIn(_ other: Holder) -> Bool {
            guard container.name != nil || other.container.name != nil else { return false }
            return (container.table ?? table) == (other.container.table ?? other.table)
                && container.schema == other.container.schema
        }
    }

    mutating func take(_ member: ConfigurationValue.Member) throws(ConfigurationFault) {
        let text = try member.value.text()
        if member.name == "schema" {
            // The default schema.
            schema = text.lowercased() == "dbo" ? nil : Identifier(text)
        } else {
            name = member.value
            table = Identifier(text)
        }
    }

    /// Returns faults for tables that shared a container: here each would have its own rows only.
    static func faults(of holders: [Holder]) -> [ConfigurationFault] {
        holders.enumerated().compactMap { place, holder in
            guard let first = holders[..<place].first(where: { $0.isIn(holder) }) else { return nil }
            let sentence =
                "the tables \(first.table) and \(holder.table) had the same rows, and would each have their own here: keep one, "
                + "and let its script or an API answer for the other"
            guard let name = holder.container.name ?? first.container.name else { return nil }
            return name.fault(sentence)
        }
    }
}

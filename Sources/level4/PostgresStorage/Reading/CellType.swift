import TableSQL

/// PostgreSQL's types whose binary format the store reads. Columns of other types don't belong to a table.
enum CellType: UInt32 {
    case boolean = 16
    case int2 = 21
    case int4 = 23
    case int8 = 20
    case float4 = 700
    case float8 = 701
    case numeric = 1700
    case text = 25
    case varchar = 1043
    case character = 1042
    case name = 19
    case json = 114
    case uuid = 2950
    case date = 1082
    case timestamp = 1114
    case timestampWithZone = 1184
    // Domains of zumod's own, whose numbers differ between databases; these numbers aren't PostgreSQL's.
    case day = 1
    case timeOfDay = 2

    /// SQL for the type of a column `a` of `pg_attribute`.
    static let ofColumn = """
        CASE (SELECT typname FROM pg_type WHERE oid = a.atttypid AND typnamespace = \(CurrentSchema.oid))
            WHEN 'zumod_day' THEN 1::oid WHEN 'zumod_time' THEN 2::oid ELSE a.atttypid END
        """
}

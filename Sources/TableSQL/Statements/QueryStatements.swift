public import OData
public import Tables

/// The statements on the queries that links refer to.
public enum QueryStatements {
    /// Answers a row where a query is kept for long enough.
    public static func isKept(_ query: KeptQuery, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT 1 FROM zumod_queries WHERE reference = ")
        builder.bind(.text(query.reference))
        builder.append(" AND ends_at >= ")
        builder.bind(.integer(query.renewal.milliseconds))
        return builder.build()
    }

    /// Forgets those that have ended.
    public static func forget(before now: Instant, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("DELETE FROM zumod_queries WHERE ends_at < ")
        builder.bind(.integer(now.milliseconds))
        return builder.build()
    }

    /// Keeps a query, or renews its end, and answers a row where that was done.
    public static func keep(_ query: KeptQuery, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO zumod_queries (reference, asker, bytes, ends_at, query) SELECT ")
        builder.bind([
            .text(query.reference), .text(query.asker), .integer(query.bytes), .integer(query.end.milliseconds),
            .text(query.text),
        ])
        builder.append(" WHERE EXISTS (SELECT 1 FROM zumod_queries WHERE reference = ")
        builder.bind(.text(query.reference))
        builder.append(") OR (SELECT coalesce(sum(bytes), 0) FROM zumod_queries WHERE asker = ")
        builder.bind(.text(query.asker))
        builder.append(") <= ")
        builder.bind(.integer(KeptQuery.askerBytes - query.bytes))
        builder.append(" AND (SELECT coalesce(sum(bytes), 0) FROM zumod_queries) <= ")
        builder.bind(.integer(KeptQuery.allBytes - query.bytes))
        builder.append(" ON CONFLICT (reference) DO UPDATE SET ends_at = excluded.ends_at RETURNING ends_at")
        return builder.build()
    }

    /// Answers the text of a query that is kept.
    public static func find(_ reference: String, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("SELECT query FROM zumod_queries WHERE reference = ")
        builder.bind(.text(reference))
        return builder.build()
    }
}

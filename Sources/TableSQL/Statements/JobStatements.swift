public import OData
import Tables

/// The statements on jobs. All servers may ask at once: the row's own lock decides.
public enum JobStatements {
    /// Answers a row where the job is the asker's.
    public static func lease(
        _ job: String, slot: Int64, now: Instant, until end: Instant, dialect: any SQLDialect
    ) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("INSERT INTO zumod_jobs AS j (name, slot, leased_until) VALUES (")
        builder.bind(.text(job))
        builder.append(", ")
        builder.bind(.integer(slot))
        builder.append(", ")
        builder.bind(.integer(end.milliseconds))
        builder.append(
            """
            ) ON CONFLICT (name) DO UPDATE SET slot = excluded.slot, leased_until = excluded.leased_until \
            WHERE (j.slot < excluded.slot OR j.slot > excluded.slot + \(Self.farAhead)) AND (j.leased_until <=\u{20}
            """)
        builder.bind(.integer(now.milliseconds))
        // What a clock left that was far ahead would keep the job from running until then.
        builder.append(" OR j.leased_until > ")
        builder.bind(.integer(now.milliseconds + Self.farAhead * 60_000))
        builder.append(")")
        builder.append(" RETURNING slot")
        return builder.build()
    }

    /// Minutes beyond which a slot is none of a clock that is right: a day.
    private static let farAhead: Int64 = 1_440

    /// Sets the end of a lease that is held for a slot.
    public static func extend(_ job: String, slot: Int64, until end: Instant, dialect: any SQLDialect) -> SQLText {
        var builder = SQLBuilder(dialect)
        builder.append("UPDATE zumod_jobs SET leased_until = ")
        builder.bind(.integer(end.milliseconds))
        builder.append(" WHERE name = ")
        builder.bind(.text(job))
        builder.append(" AND slot = ")
        builder.bind(.integer(slot))
        return builder.build()
    }
}

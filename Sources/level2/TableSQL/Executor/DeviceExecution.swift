public import Scalars
public import Tables

/// A `DeviceStore` by SQL statements. Times are milliseconds since 1970.
extension SQLExecutor {
    /// Writes in one transaction, in the same order on all servers, so that there are no deadlocks.
    public func record(_ sightings: [DeviceSighting]) async throws(TableError) {
        let ordered = sightings.sorted {
            ($0.key.installation, $0.key.table.text) < ($1.key.installation, $1.key.table.text)
        }
        _ = try await execute(
            ordered.map(DeviceStatements.record) + [DeviceStatements.trim(to: DeviceLimits.records)])
    }

    /// Reads the records of the installations that were seen last, within the time limit of lists.
    public func devices(limit: Int) async throws(TableError) -> [Device] {
        let found = try await lists(of: [
            """
            SELECT \(DeviceStatements.columns) FROM zumod_devices WHERE installation IN (SELECT installation \
            FROM zumod_devices GROUP BY installation ORDER BY max(seen_at) DESC, installation \
            LIMIT \(.integer(Int64(limit))))
            """
        ])
        return Device.all(of: found.joined().compactMap(DeviceStatements.sighting))
    }

    /// Reads within the time limit of lists.
    public func countChanges(since places: [TableProgress], limit: Int) async throws(TableError) -> [Int] {
        guard !places.isEmpty else { return [] }
        let statements = places.map { DeviceStatements.countChanges(since: $0, limit: limit) }
        return try await lists(of: statements).map { Int($0.first?.integer(0) ?? 0) }
    }

    /// Removes rows in one statement.
    public func forgetDevices(unseenSince instant: Instant) async throws(TableError) -> Int {
        try await execute([DeviceStatements.forget(unseenSince: instant)]).count
    }
}

/// The statements about the records of installations.
package enum DeviceStatements {
    /// Adds a sighting to the record of its installation and table, as `DeviceSighting.add` does.
    package static func record(_ sighting: DeviceSighting) -> SQLFragment {
        let pull = sighting.pull
        let values: [Value] = [
            .text(sighting.key.installation), .text(sighting.key.table.text), .integer(sighting.seenAt.milliseconds),
            integer(pull?.at.milliseconds), integer(pull?.stamp?.milliseconds), integer(pull?.rows),
            integer(sighting.pushedAt?.milliseconds), .integer(sighting.conflicts), text(sighting.sdk),
            .text(sighting.generation), text(sighting.user),
        ]
        return """
            INSERT INTO zumod_devices AS d (\(columns)) \
            VALUES (\(values.map { SQLFragment($0) }.joined())) \(merging)
            """
    }

    /// Deletes the records beyond a number, starting with those not seen for longest.
    package static func trim(to count: Int) -> SQLFragment {
        """
        DELETE FROM zumod_devices WHERE (installation, table_name) IN (SELECT installation, table_name \
        FROM zumod_devices ORDER BY seen_at DESC, installation DESC, table_name DESC \
        LIMIT 1000000 OFFSET \(.integer(Int64(count))))
        """
    }

    /// Deletes records not seen since a time, and returns a row for each.
    package static func forget(unseenSince instant: Instant) -> SQLFragment {
        "DELETE FROM zumod_devices WHERE seen_at < \(.integer(instant.milliseconds)) RETURNING seen_at"
    }

    /// Counts a table's rows after a stamp, up to a limit.
    package static func countChanges(since place: TableProgress, limit: Int) -> SQLFragment {
        """
        SELECT count(*) FROM (SELECT 1 FROM \(place.table.name) WHERE "updatedAt" > \(.date(place.stamp)) \
        LIMIT \(.integer(Int64(limit)))) AS changed
        """
    }

    fileprivate static let columns: SQLFragment = """
        installation, table_name, seen_at, pulled_at, reached, pulled_rows, pushed_at, conflicts, sdk, generation, user_id
        """

    /// The two databases disagree on the greater of a number and null, so this uses expressions that both evaluate
    /// alike.
    private static let merging = SQLFragment(
        stringLiteral: """
            ON CONFLICT (installation, table_name) DO UPDATE SET \
            pulled_rows = CASE WHEN excluded.pulled_at IS NULL THEN d.pulled_rows \
            WHEN d.pulled_at IS NULL THEN excluded.pulled_rows \
            WHEN abs(excluded.pulled_at - d.pulled_at) <= \(DeviceSighting.pullGap.components.seconds * 1_000) \
            THEN d.pulled_rows + excluded.pulled_rows \
            WHEN excluded.pulled_at > d.pulled_at THEN excluded.pulled_rows ELSE d.pulled_rows END, \
            \(["pulled_at", "reached", "pushed_at"].map(greater).joined()) \
            conflicts = d.conflicts + excluded.conflicts, \
            sdk = \(newer("sdk")), user_id = \(newer("user_id")), generation = \(newer("generation")), \
            seen_at = CASE WHEN excluded.seen_at > d.seen_at THEN excluded.seen_at ELSE d.seen_at END
            """)

    private static func greater(_ column: String) -> String {
        """
        \(column) = CASE WHEN d.\(column) IS NULL OR excluded.\(column) > d.\(column) THEN excluded.\(column) \
        ELSE d.\(column) END,\u{20}
        """
    }

    private static func newer(_ column: String) -> String {
        """
        CASE WHEN excluded.seen_at >= d.seen_at THEN coalesce(excluded.\(column), d.\(column)) \
        ELSE coalesce(d.\(column), excluded.\(column)) END
        """
    }

    private static func integer(_ number: Int64?) -> Value { number.map(Value.integer) ?? .null }
    private static func text(_ text: String?) -> Value { text.map(Value.text) ?? .null }

    /// Reads a row of `columns`; nil if it isn't a sighting.
    fileprivate static func sighting(_ row: SQLRow) -> DeviceSighting? {
        guard let table = row.text(1).flatMap({ Identifier($0) }),
            let key = DeviceSighting.Key(installation: row.text(0) ?? "", table: table)
        else { return nil }
        let pull = row.instant(3).map { DeviceSighting.Pull(at: $0, stamp: row.instant(4), rows: row.integer(5) ?? 0) }
        return DeviceSighting(
            key, seenAt: row.instant(2) ?? Instant(milliseconds: 0), pull: pull, pushedAt: row.instant(6),
            conflicts: row.integer(7) ?? 0, sdk: row.text(8), generation: row.text(9) ?? "", user: row.text(10))
    }
}

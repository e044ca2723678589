/// A step of the database's own schema. A released migration never changes; a new one is added instead.
public struct Migration: Sendable {
    /// Counted from 1, as in the file's name.
    public let number: Int
    /// The file's name without its ending.
    public let name: String
    /// The file's bytes: SQL statements in UTF-8.
    public let script: [UInt8]
}

/// The numbered files of this folder, embedded in the binary, in the order in which they run.
public enum SQLiteMigrations {
    /// Every migration, oldest first.
    public static let all = [
        Migration(number: 1, name: "0001-foundation", script: PackageResources._001_foundation_sql),
        Migration(number: 2, name: "0002-continuation", script: PackageResources._002_continuation_sql),
        Migration(number: 3, name: "0003-operations", script: PackageResources._003_operations_sql),
        Migration(number: 4, name: "0004-receipts", script: PackageResources._004_receipts_sql),
        Migration(number: 5, name: "0005-users", script: PackageResources._005_users_sql),
        Migration(number: 6, name: "0006-sessions", script: PackageResources._006_sessions_sql),
        Migration(number: 7, name: "0007-client-columns", script: PackageResources._007_client_columns_sql),
        Migration(number: 8, name: "0008-devices", script: PackageResources._008_devices_sql),
        Migration(number: 9, name: "0009-jobs", script: PackageResources._009_jobs_sql),
        Migration(number: 10, name: "0010-row-receipts", script: PackageResources._010_row_receipts_sql),
        Migration(number: 11, name: "0011-triggers", script: PackageResources._011_triggers_sql),
        Migration(number: 12, name: "0012-number-ends", script: PackageResources._012_number_ends_sql),
        Migration(number: 13, name: "0013-former-users", script: PackageResources._013_former_users_sql),
        Migration(number: 14, name: "0014-queries", script: PackageResources._014_queries_sql),
    ]
}

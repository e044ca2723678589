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
public enum PostgresMigrations {
    /// Every migration, oldest first.
    public static let all = [
        Migration(number: 1, name: "0001-foundation", script: PackageResources._001_foundation_sql),
        Migration(number: 2, name: "0002-query-functions", script: PackageResources._002_query_functions_sql),
        Migration(number: 3, name: "0003-times-and-secrets", script: PackageResources._003_times_and_secrets_sql),
        Migration(number: 4, name: "0004-decimals", script: PackageResources._004_decimals_sql),
        Migration(number: 5, name: "0005-operations", script: PackageResources._005_operations_sql),
        Migration(number: 6, name: "0006-receipts", script: PackageResources._006_receipts_sql),
        Migration(number: 7, name: "0007-users", script: PackageResources._007_users_sql),
        Migration(number: 8, name: "0008-search", script: PackageResources._008_search_sql),
        Migration(number: 9, name: "0009-kept-deletes", script: PackageResources._009_kept_deletes_sql),
        Migration(number: 10, name: "0010-text-order", script: PackageResources._010_text_order_sql),
        Migration(number: 11, name: "0011-servers", script: PackageResources._011_servers_sql),
        Migration(number: 12, name: "0012-within", script: PackageResources._012_within_sql),
        Migration(number: 13, name: "0013-number-text", script: PackageResources._013_number_text_sql),
        Migration(number: 14, name: "0014-sessions", script: PackageResources._014_sessions_sql),
        Migration(number: 15, name: "0015-client-columns", script: PackageResources._015_client_columns_sql),
        Migration(number: 16, name: "0016-stamp-blocks", script: PackageResources._016_stamp_blocks_sql),
        Migration(number: 17, name: "0017-devices", script: PackageResources._017_devices_sql),
        Migration(number: 18, name: "0018-jobs", script: PackageResources._018_jobs_sql),
        Migration(number: 19, name: "0019-triggers", script: PackageResources._019_triggers_sql),
        Migration(number: 20, name: "0020-own-functions", script: PackageResources._020_own_functions_sql),
        Migration(number: 21, name: "0021-shown-dates", script: PackageResources._021_shown_dates_sql),
        Migration(number: 22, name: "0022-number-ends", script: PackageResources._022_number_ends_sql),
        Migration(number: 23, name: "0023-believed-time", script: PackageResources._023_believed_time_sql),
        Migration(number: 24, name: "0024-former-users", script: PackageResources._024_former_users_sql),
        Migration(number: 25, name: "0025-short-texts", script: PackageResources._025_short_texts_sql),
        Migration(number: 26, name: "0026-queries", script: PackageResources._026_queries_sql),
        Migration(number: 27, name: "0027-calculations", script: PackageResources._027_calculations_sql),
    ]
}

// Made by scripts/list-embedded-files.
#include "SchemaFiles.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char postgres_0001_foundation_sql[] = {
#embed "../../../Migrations/postgres/0001-foundation.sql"
};

static const unsigned char postgres_0002_query_functions_sql[] = {
#embed "../../../Migrations/postgres/0002-query-functions.sql"
};

static const unsigned char postgres_0003_times_and_secrets_sql[] = {
#embed "../../../Migrations/postgres/0003-times-and-secrets.sql"
};

static const unsigned char postgres_0004_decimals_sql[] = {
#embed "../../../Migrations/postgres/0004-decimals.sql"
};

static const unsigned char postgres_0005_operations_sql[] = {
#embed "../../../Migrations/postgres/0005-operations.sql"
};

static const unsigned char postgres_0006_receipts_sql[] = {
#embed "../../../Migrations/postgres/0006-receipts.sql"
};

static const unsigned char postgres_0007_users_sql[] = {
#embed "../../../Migrations/postgres/0007-users.sql"
};

static const unsigned char postgres_0008_search_sql[] = {
#embed "../../../Migrations/postgres/0008-search.sql"
};

static const unsigned char postgres_0009_kept_deletes_sql[] = {
#embed "../../../Migrations/postgres/0009-kept-deletes.sql"
};

static const unsigned char postgres_0010_text_order_sql[] = {
#embed "../../../Migrations/postgres/0010-text-order.sql"
};

static const unsigned char postgres_0011_servers_sql[] = {
#embed "../../../Migrations/postgres/0011-servers.sql"
};

static const unsigned char postgres_0012_within_sql[] = {
#embed "../../../Migrations/postgres/0012-within.sql"
};

static const unsigned char postgres_0013_number_text_sql[] = {
#embed "../../../Migrations/postgres/0013-number-text.sql"
};

static const unsigned char postgres_0014_sessions_sql[] = {
#embed "../../../Migrations/postgres/0014-sessions.sql"
};

static const unsigned char postgres_0015_client_columns_sql[] = {
#embed "../../../Migrations/postgres/0015-client-columns.sql"
};

static const unsigned char postgres_0016_stamp_blocks_sql[] = {
#embed "../../../Migrations/postgres/0016-stamp-blocks.sql"
};

static const unsigned char postgres_0017_devices_sql[] = {
#embed "../../../Migrations/postgres/0017-devices.sql"
};

static const unsigned char postgres_0018_jobs_sql[] = {
#embed "../../../Migrations/postgres/0018-jobs.sql"
};

static const unsigned char postgres_0019_triggers_sql[] = {
#embed "../../../Migrations/postgres/0019-triggers.sql"
};

static const unsigned char postgres_0020_own_functions_sql[] = {
#embed "../../../Migrations/postgres/0020-own-functions.sql"
};

static const unsigned char postgres_0021_shown_dates_sql[] = {
#embed "../../../Migrations/postgres/0021-shown-dates.sql"
};

static const unsigned char postgres_0022_number_ends_sql[] = {
#embed "../../../Migrations/postgres/0022-number-ends.sql"
};

static const unsigned char postgres_0023_believed_time_sql[] = {
#embed "../../../Migrations/postgres/0023-believed-time.sql"
};

static const unsigned char postgres_0024_former_users_sql[] = {
#embed "../../../Migrations/postgres/0024-former-users.sql"
};

static const unsigned char postgres_0025_short_texts_sql[] = {
#embed "../../../Migrations/postgres/0025-short-texts.sql"
};

static const unsigned char postgres_0026_queries_sql[] = {
#embed "../../../Migrations/postgres/0026-queries.sql"
};

static const unsigned char postgres_0027_calculations_sql[] = {
#embed "../../../Migrations/postgres/0027-calculations.sql"
};

static const unsigned char sqlite_0001_foundation_sql[] = {
#embed "../../../Migrations/sqlite/0001-foundation.sql"
};

static const unsigned char sqlite_0002_continuation_sql[] = {
#embed "../../../Migrations/sqlite/0002-continuation.sql"
};

static const unsigned char sqlite_0003_operations_sql[] = {
#embed "../../../Migrations/sqlite/0003-operations.sql"
};

static const unsigned char sqlite_0004_receipts_sql[] = {
#embed "../../../Migrations/sqlite/0004-receipts.sql"
};

static const unsigned char sqlite_0005_users_sql[] = {
#embed "../../../Migrations/sqlite/0005-users.sql"
};

static const unsigned char sqlite_0006_sessions_sql[] = {
#embed "../../../Migrations/sqlite/0006-sessions.sql"
};

static const unsigned char sqlite_0007_client_columns_sql[] = {
#embed "../../../Migrations/sqlite/0007-client-columns.sql"
};

static const unsigned char sqlite_0008_devices_sql[] = {
#embed "../../../Migrations/sqlite/0008-devices.sql"
};

static const unsigned char sqlite_0009_jobs_sql[] = {
#embed "../../../Migrations/sqlite/0009-jobs.sql"
};

static const unsigned char sqlite_0010_row_receipts_sql[] = {
#embed "../../../Migrations/sqlite/0010-row-receipts.sql"
};

static const unsigned char sqlite_0011_triggers_sql[] = {
#embed "../../../Migrations/sqlite/0011-triggers.sql"
};

static const unsigned char sqlite_0012_number_ends_sql[] = {
#embed "../../../Migrations/sqlite/0012-number-ends.sql"
};

static const unsigned char sqlite_0013_former_users_sql[] = {
#embed "../../../Migrations/sqlite/0013-former-users.sql"
};

static const unsigned char sqlite_0014_queries_sql[] = {
#embed "../../../Migrations/sqlite/0014-queries.sql"
};

static const unsigned char letters_txt[] = {
#embed "../../level2/TableSQL/TextOrder/letters.txt"
};

static const schema_file_t files[] = {
    {"postgres/0001-foundation.sql", postgres_0001_foundation_sql, sizeof postgres_0001_foundation_sql},
    {"postgres/0002-query-functions.sql", postgres_0002_query_functions_sql, sizeof postgres_0002_query_functions_sql},
    {"postgres/0003-times-and-secrets.sql", postgres_0003_times_and_secrets_sql, sizeof postgres_0003_times_and_secrets_sql},
    {"postgres/0004-decimals.sql", postgres_0004_decimals_sql, sizeof postgres_0004_decimals_sql},
    {"postgres/0005-operations.sql", postgres_0005_operations_sql, sizeof postgres_0005_operations_sql},
    {"postgres/0006-receipts.sql", postgres_0006_receipts_sql, sizeof postgres_0006_receipts_sql},
    {"postgres/0007-users.sql", postgres_0007_users_sql, sizeof postgres_0007_users_sql},
    {"postgres/0008-search.sql", postgres_0008_search_sql, sizeof postgres_0008_search_sql},
    {"postgres/0009-kept-deletes.sql", postgres_0009_kept_deletes_sql, sizeof postgres_0009_kept_deletes_sql},
    {"postgres/0010-text-order.sql", postgres_0010_text_order_sql, sizeof postgres_0010_text_order_sql},
    {"postgres/0011-servers.sql", postgres_0011_servers_sql, sizeof postgres_0011_servers_sql},
    {"postgres/0012-within.sql", postgres_0012_within_sql, sizeof postgres_0012_within_sql},
    {"postgres/0013-number-text.sql", postgres_0013_number_text_sql, sizeof postgres_0013_number_text_sql},
    {"postgres/0014-sessions.sql", postgres_0014_sessions_sql, sizeof postgres_0014_sessions_sql},
    {"postgres/0015-client-columns.sql", postgres_0015_client_columns_sql, sizeof postgres_0015_client_columns_sql},
    {"postgres/0016-stamp-blocks.sql", postgres_0016_stamp_blocks_sql, sizeof postgres_0016_stamp_blocks_sql},
    {"postgres/0017-devices.sql", postgres_0017_devices_sql, sizeof postgres_0017_devices_sql},
    {"postgres/0018-jobs.sql", postgres_0018_jobs_sql, sizeof postgres_0018_jobs_sql},
    {"postgres/0019-triggers.sql", postgres_0019_triggers_sql, sizeof postgres_0019_triggers_sql},
    {"postgres/0020-own-functions.sql", postgres_0020_own_functions_sql, sizeof postgres_0020_own_functions_sql},
    {"postgres/0021-shown-dates.sql", postgres_0021_shown_dates_sql, sizeof postgres_0021_shown_dates_sql},
    {"postgres/0022-number-ends.sql", postgres_0022_number_ends_sql, sizeof postgres_0022_number_ends_sql},
    {"postgres/0023-believed-time.sql", postgres_0023_believed_time_sql, sizeof postgres_0023_believed_time_sql},
    {"postgres/0024-former-users.sql", postgres_0024_former_users_sql, sizeof postgres_0024_former_users_sql},
    {"postgres/0025-short-texts.sql", postgres_0025_short_texts_sql, sizeof postgres_0025_short_texts_sql},
    {"postgres/0026-queries.sql", postgres_0026_queries_sql, sizeof postgres_0026_queries_sql},
    {"postgres/0027-calculations.sql", postgres_0027_calculations_sql, sizeof postgres_0027_calculations_sql},
    {"sqlite/0001-foundation.sql", sqlite_0001_foundation_sql, sizeof sqlite_0001_foundation_sql},
    {"sqlite/0002-continuation.sql", sqlite_0002_continuation_sql, sizeof sqlite_0002_continuation_sql},
    {"sqlite/0003-operations.sql", sqlite_0003_operations_sql, sizeof sqlite_0003_operations_sql},
    {"sqlite/0004-receipts.sql", sqlite_0004_receipts_sql, sizeof sqlite_0004_receipts_sql},
    {"sqlite/0005-users.sql", sqlite_0005_users_sql, sizeof sqlite_0005_users_sql},
    {"sqlite/0006-sessions.sql", sqlite_0006_sessions_sql, sizeof sqlite_0006_sessions_sql},
    {"sqlite/0007-client-columns.sql", sqlite_0007_client_columns_sql, sizeof sqlite_0007_client_columns_sql},
    {"sqlite/0008-devices.sql", sqlite_0008_devices_sql, sizeof sqlite_0008_devices_sql},
    {"sqlite/0009-jobs.sql", sqlite_0009_jobs_sql, sizeof sqlite_0009_jobs_sql},
    {"sqlite/0010-row-receipts.sql", sqlite_0010_row_receipts_sql, sizeof sqlite_0010_row_receipts_sql},
    {"sqlite/0011-triggers.sql", sqlite_0011_triggers_sql, sizeof sqlite_0011_triggers_sql},
    {"sqlite/0012-number-ends.sql", sqlite_0012_number_ends_sql, sizeof sqlite_0012_number_ends_sql},
    {"sqlite/0013-former-users.sql", sqlite_0013_former_users_sql, sizeof sqlite_0013_former_users_sql},
    {"sqlite/0014-queries.sql", sqlite_0014_queries_sql, sizeof sqlite_0014_queries_sql},
    {"letters.txt", letters_txt, sizeof letters_txt},
};

int schema_file_count(void) { return sizeof files / sizeof files[0]; }

schema_file_t schema_file(int place) { return files[place]; }

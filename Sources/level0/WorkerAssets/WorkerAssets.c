// Made by scripts/list-embedded-files.
#include "WorkerAssets.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char answers_js[] = {
#embed "../../level4/Scripts/Worker/answers.js"
};

static const unsigned char azure_mobile_apps_js[] = {
#embed "../../level4/Scripts/Worker/azure-mobile-apps.js"
};

static const unsigned char callbacks_js[] = {
#embed "../../level4/Scripts/Worker/callbacks.js"
};

static const unsigned char calls_js[] = {
#embed "../../level4/Scripts/Worker/calls.js"
};

static const unsigned char changes_js[] = {
#embed "../../level4/Scripts/Worker/changes.js"
};

static const unsigned char channel_js[] = {
#embed "../../level4/Scripts/Worker/channel.js"
};

static const unsigned char console_js[] = {
#embed "../../level4/Scripts/Worker/console.js"
};

static const unsigned char date_text_js[] = {
#embed "../../level4/Scripts/Worker/date-text.js"
};

static const unsigned char differences_js[] = {
#embed "../../level4/Scripts/Worker/differences.js"
};

static const unsigned char effects_js[] = {
#embed "../../level4/Scripts/Worker/effects.js"
};

static const unsigned char endings_js[] = {
#embed "../../level4/Scripts/Worker/endings.js"
};

static const unsigned char execution_js[] = {
#embed "../../level4/Scripts/Worker/execution.js"
};

static const unsigned char express_3_js[] = {
#embed "../../level4/Scripts/Worker/express-3.js"
};

static const unsigned char express_home_js[] = {
#embed "../../level4/Scripts/Worker/express-home.js"
};

static const unsigned char failures_js[] = {
#embed "../../level4/Scripts/Worker/failures.js"
};

static const unsigned char handlers_js[] = {
#embed "../../level4/Scripts/Worker/handlers.js"
};

static const unsigned char http_exchange_js[] = {
#embed "../../level4/Scripts/Worker/http-exchange.js"
};

static const unsigned char kept_columns_js[] = {
#embed "../../level4/Scripts/Worker/kept-columns.js"
};

static const unsigned char loose_paths_js[] = {
#embed "../../level4/Scripts/Worker/loose-paths.js"
};

static const unsigned char main_file_js[] = {
#embed "../../level4/Scripts/Worker/main-file.js"
};

static const unsigned char main_js[] = {
#embed "../../level4/Scripts/Worker/main.js"
};

static const unsigned char marks_js[] = {
#embed "../../level4/Scripts/Worker/marks.js"
};

static const unsigned char mobile_app_js[] = {
#embed "../../level4/Scripts/Worker/mobile-app.js"
};

static const unsigned char mobile_routes_js[] = {
#embed "../../level4/Scripts/Worker/mobile-routes.js"
};

static const unsigned char modules_js[] = {
#embed "../../level4/Scripts/Worker/modules.js"
};

static const unsigned char mssql_js[] = {
#embed "../../level4/Scripts/Worker/mssql.js"
};

static const unsigned char node_version_js[] = {
#embed "../../level4/Scripts/Worker/node-version.js"
};

static const unsigned char old_crypto_js[] = {
#embed "../../level4/Scripts/Worker/old-crypto.js"
};

static const unsigned char plain_address_js[] = {
#embed "../../level4/Scripts/Worker/plain-address.js"
};

static const unsigned char project_js[] = {
#embed "../../level4/Scripts/Worker/project.js"
};

static const unsigned char push_js[] = {
#embed "../../level4/Scripts/Worker/push.js"
};

static const unsigned char query_components_js[] = {
#embed "../../level4/Scripts/Worker/query-components.js"
};

static const unsigned char query_js[] = {
#embed "../../level4/Scripts/Worker/query.js"
};

static const unsigned char report_js[] = {
#embed "../../level4/Scripts/Worker/report.js"
};

static const unsigned char resolve_js[] = {
#embed "../../level4/Scripts/Worker/resolve.js"
};

static const unsigned char route_pattern_js[] = {
#embed "../../level4/Scripts/Worker/route-pattern.js"
};

static const unsigned char schedule_js[] = {
#embed "../../level4/Scripts/Worker/schedule.js"
};

static const unsigned char sdk_imports_js[] = {
#embed "../../level4/Scripts/Worker/sdk-imports.js"
};

static const unsigned char sdk_modules_js[] = {
#embed "../../level4/Scripts/Worker/sdk-modules.js"
};

static const unsigned char source_files_js[] = {
#embed "../../level4/Scripts/Worker/source-files.js"
};

static const unsigned char status_codes_js[] = {
#embed "../../level4/Scripts/Worker/status-codes.js"
};

static const unsigned char table_arguments_js[] = {
#embed "../../level4/Scripts/Worker/table-arguments.js"
};

static const unsigned char table_definition_js[] = {
#embed "../../level4/Scripts/Worker/table-definition.js"
};

static const unsigned char table_rules_js[] = {
#embed "../../level4/Scripts/Worker/table-rules.js"
};

static const unsigned char token_key_js[] = {
#embed "../../level4/Scripts/Worker/token-key.js"
};

static const unsigned char unknown_keys_js[] = {
#embed "../../level4/Scripts/Worker/unknown-keys.js"
};

static const unsigned char unsupported_js[] = {
#embed "../../level4/Scripts/Worker/unsupported.js"
};

static const unsigned char v1_api_js[] = {
#embed "../../level4/Scripts/Worker/v1-api.js"
};

static const unsigned char v1_compile_js[] = {
#embed "../../level4/Scripts/Worker/v1-compile.js"
};

static const unsigned char v1_job_js[] = {
#embed "../../level4/Scripts/Worker/v1-job.js"
};

static const unsigned char v1_levels_js[] = {
#embed "../../level4/Scripts/Worker/v1-levels.js"
};

static const unsigned char v1_load_js[] = {
#embed "../../level4/Scripts/Worker/v1-load.js"
};

static const unsigned char v1_named_tables_js[] = {
#embed "../../level4/Scripts/Worker/v1-named-tables.js"
};

static const unsigned char v1_query_js[] = {
#embed "../../level4/Scripts/Worker/v1-query.js"
};

static const unsigned char v1_rows_js[] = {
#embed "../../level4/Scripts/Worker/v1-rows.js"
};

static const unsigned char v1_rules_js[] = {
#embed "../../level4/Scripts/Worker/v1-rules.js"
};

static const unsigned char v1_services_js[] = {
#embed "../../level4/Scripts/Worker/v1-services.js"
};

static const unsigned char v1_startup_js[] = {
#embed "../../level4/Scripts/Worker/v1-startup.js"
};

static const unsigned char v1_table_js[] = {
#embed "../../level4/Scripts/Worker/v1-table.js"
};

static const unsigned char v1_tables_js[] = {
#embed "../../level4/Scripts/Worker/v1-tables.js"
};

static const unsigned char v1_user_js[] = {
#embed "../../level4/Scripts/Worker/v1-user.js"
};

static const unsigned char v2_api_js[] = {
#embed "../../level4/Scripts/Worker/v2-api.js"
};

static const unsigned char v2_app_js[] = {
#embed "../../level4/Scripts/Worker/v2-app.js"
};

static const unsigned char v2_context_js[] = {
#embed "../../level4/Scripts/Worker/v2-context.js"
};

static const unsigned char v2_data_js[] = {
#embed "../../level4/Scripts/Worker/v2-data.js"
};

static const unsigned char v2_load_js[] = {
#embed "../../level4/Scripts/Worker/v2-load.js"
};

static const unsigned char v2_operation_js[] = {
#embed "../../level4/Scripts/Worker/v2-operation.js"
};

static const unsigned char v2_table_js[] = {
#embed "../../level4/Scripts/Worker/v2-table.js"
};

static const unsigned char v2_tables_js[] = {
#embed "../../level4/Scripts/Worker/v2-tables.js"
};

static const unsigned char where_function_js[] = {
#embed "../../level4/Scripts/Worker/where-function.js"
};

static const unsigned char where_source_js[] = {
#embed "../../level4/Scripts/Worker/where-source.js"
};

static const unsigned char winston_js[] = {
#embed "../../level4/Scripts/Worker/winston.js"
};

static const unsigned char written_lines_js[] = {
#embed "../../level4/Scripts/Worker/written-lines.js"
};

static const worker_asset_t files[] = {
    {"answers.js", answers_js, sizeof answers_js},
    {"azure-mobile-apps.js", azure_mobile_apps_js, sizeof azure_mobile_apps_js},
    {"callbacks.js", callbacks_js, sizeof callbacks_js},
    {"calls.js", calls_js, sizeof calls_js},
    {"changes.js", changes_js, sizeof changes_js},
    {"channel.js", channel_js, sizeof channel_js},
    {"console.js", console_js, sizeof console_js},
    {"date-text.js", date_text_js, sizeof date_text_js},
    {"differences.js", differences_js, sizeof differences_js},
    {"effects.js", effects_js, sizeof effects_js},
    {"endings.js", endings_js, sizeof endings_js},
    {"execution.js", execution_js, sizeof execution_js},
    {"express-3.js", express_3_js, sizeof express_3_js},
    {"express-home.js", express_home_js, sizeof express_home_js},
    {"failures.js", failures_js, sizeof failures_js},
    {"handlers.js", handlers_js, sizeof handlers_js},
    {"http-exchange.js", http_exchange_js, sizeof http_exchange_js},
    {"kept-columns.js", kept_columns_js, sizeof kept_columns_js},
    {"loose-paths.js", loose_paths_js, sizeof loose_paths_js},
    {"main-file.js", main_file_js, sizeof main_file_js},
    {"main.js", main_js, sizeof main_js},
    {"marks.js", marks_js, sizeof marks_js},
    {"mobile-app.js", mobile_app_js, sizeof mobile_app_js},
    {"mobile-routes.js", mobile_routes_js, sizeof mobile_routes_js},
    {"modules.js", modules_js, sizeof modules_js},
    {"mssql.js", mssql_js, sizeof mssql_js},
    {"node-version.js", node_version_js, sizeof node_version_js},
    {"old-crypto.js", old_crypto_js, sizeof old_crypto_js},
    {"plain-address.js", plain_address_js, sizeof plain_address_js},
    {"project.js", project_js, sizeof project_js},
    {"push.js", push_js, sizeof push_js},
    {"query-components.js", query_components_js, sizeof query_components_js},
    {"query.js", query_js, sizeof query_js},
    {"report.js", report_js, sizeof report_js},
    {"resolve.js", resolve_js, sizeof resolve_js},
    {"route-pattern.js", route_pattern_js, sizeof route_pattern_js},
    {"schedule.js", schedule_js, sizeof schedule_js},
    {"sdk-imports.js", sdk_imports_js, sizeof sdk_imports_js},
    {"sdk-modules.js", sdk_modules_js, sizeof sdk_modules_js},
    {"source-files.js", source_files_js, sizeof source_files_js},
    {"status-codes.js", status_codes_js, sizeof status_codes_js},
    {"table-arguments.js", table_arguments_js, sizeof table_arguments_js},
    {"table-definition.js", table_definition_js, sizeof table_definition_js},
    {"table-rules.js", table_rules_js, sizeof table_rules_js},
    {"token-key.js", token_key_js, sizeof token_key_js},
    {"unknown-keys.js", unknown_keys_js, sizeof unknown_keys_js},
    {"unsupported.js", unsupported_js, sizeof unsupported_js},
    {"v1-api.js", v1_api_js, sizeof v1_api_js},
    {"v1-compile.js", v1_compile_js, sizeof v1_compile_js},
    {"v1-job.js", v1_job_js, sizeof v1_job_js},
    {"v1-levels.js", v1_levels_js, sizeof v1_levels_js},
    {"v1-load.js", v1_load_js, sizeof v1_load_js},
    {"v1-named-tables.js", v1_named_tables_js, sizeof v1_named_tables_js},
    {"v1-query.js", v1_query_js, sizeof v1_query_js},
    {"v1-rows.js", v1_rows_js, sizeof v1_rows_js},
    {"v1-rules.js", v1_rules_js, sizeof v1_rules_js},
    {"v1-services.js", v1_services_js, sizeof v1_services_js},
    {"v1-startup.js", v1_startup_js, sizeof v1_startup_js},
    {"v1-table.js", v1_table_js, sizeof v1_table_js},
    {"v1-tables.js", v1_tables_js, sizeof v1_tables_js},
    {"v1-user.js", v1_user_js, sizeof v1_user_js},
    {"v2-api.js", v2_api_js, sizeof v2_api_js},
    {"v2-app.js", v2_app_js, sizeof v2_app_js},
    {"v2-context.js", v2_context_js, sizeof v2_context_js},
    {"v2-data.js", v2_data_js, sizeof v2_data_js},
    {"v2-load.js", v2_load_js, sizeof v2_load_js},
    {"v2-operation.js", v2_operation_js, sizeof v2_operation_js},
    {"v2-table.js", v2_table_js, sizeof v2_table_js},
    {"v2-tables.js", v2_tables_js, sizeof v2_tables_js},
    {"where-function.js", where_function_js, sizeof where_function_js},
    {"where-source.js", where_source_js, sizeof where_source_js},
    {"winston.js", winston_js, sizeof winston_js},
    {"written-lines.js", written_lines_js, sizeof written_lines_js},
};

int worker_asset_count(void) { return sizeof files / sizeof files[0]; }

worker_asset_t worker_asset(int place) { return files[place]; }

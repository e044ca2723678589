/// The help texts of metric families on the page for Prometheus.
enum MetricsHelp {
    static let texts = [
        "process_cpu_seconds_total": "Processor time that the process has used, in seconds.",
        "process_max_fds": "The most file descriptors that the process may have open.",
        "process_open_fds": "File descriptors that are open.",
        "process_resident_memory_bytes": "Memory that the process has in use.",
        "process_start_time_seconds": "When the server started, in seconds since 1970.",
        "process_virtual_memory_bytes": "Addresses that the process has taken.",
        "zumod_access_failures_total": "Passwords, keys and providers' tokens that were wrong.",
        "zumod_answers_cut_total": "Answers of 64 KiB or more that were not sent to their end.",
        "zumod_buffer_limit_bytes": "The most that bodies and answers may take: limits.bufferBytes.",
        "zumod_configuration_loads_total": "How often the configuration was read while the server ran.",
        "zumod_buffered_bytes": "What bodies and answers take of limits.bufferBytes.",
        "zumod_build_info": "The version that runs; always 1.",
        "zumod_clock_jumps_total": "How often a clock jumped, the server's or the database's.",
        "zumod_clock_unproven_seconds":
            "For how long a clock hasn't been believed, so that nothing is purged; 0 while both are.",
        "zumod_commits_failed_total":
            "Transactions of writes that failed; the server tries them again where that may help.",
        "zumod_commits_total": "Transactions of writes that were committed.",
        "zumod_committed_writes_total": "Writes in those transactions, which the writes that wait at a time share.",
        "zumod_connections_limit": "The most connections of clients: limits.connections.",
        "zumod_connections_open": "Connections that are open, those that are being refused included.",
        "zumod_connections_refused_total":
            "Connections that were refused since there were too many, altogether or of their address.",
        "zumod_database_connection_waiters": "Who waits for a connection to the database.",
        "zumod_database_connections": "Connections to the database, by what they do.",
        "zumod_database_connections_failed_total": "Attempts to connect to the database that failed.",
        "zumod_database_connections_limit": "The most connections to the database.",
        "zumod_database_reachable": "Whether the database answered when this page was asked for.",
        "zumod_lists_running": "Lists that the database works on.",
        "zumod_log_lines_dropped_total": "Lines of the log that were dropped, since nobody took them.",
        "zumod_queue_length": "What waits for a thread of the store: reads of single rows, lists and writes.",
        "zumod_queue_refused_total":
            "Reads and lists that were refused, since too much waited or they waited too long.",
        "zumod_queue_wait_seconds": "How long reads, lists and writes waited for a thread.",
        "zumod_repeated_writes_total": "Writes that were sent again and answered as the first time.",
        "zumod_request_duration_seconds": "How long requests took, from the last byte read to the answer made.",
        "zumod_requests_total": "Requests that were answered.",
        "zumod_script_workers":
            "Processes that take calls of scripts now; absent where there are no scripts.",
        "zumod_stamp_drift_seconds": "How far a table's last stamp is ahead of the server's clock; 0 where it isn't.",
        "zumod_statement_duration_seconds": "How long statements to the database took, by what they do.",
        "zumod_table_rows": "Rows of a table, tombstones included: counted now and then, or PostgreSQL's estimate.",
        "zumod_table_tombstones": "Rows of a table that are tombstones, known as the rows are.",
        "zumod_tls_certificate_expiry_timestamp_seconds":
            "When the server's certificate ends, in seconds since 1970; absent where it speaks plain HTTP.",
        "zumod_tls_failures_total": "Connections on which TLS failed, by what the client did or could not do.",
        "zumod_webhook_attempts_failed_total": "Attempts to deliver a notice that failed.",
        "zumod_webhook_notices_lost_total":
            "Notices of webhooks that were given up, or not taken since too many waited.",
        "zumod_webhook_notices_sent_total": "Notices of webhooks that were taken.",
        "zumod_webhook_notices_waiting": "Notices of webhooks that wait to be sent.",
    ]
}

#pragma once
#include <sqlite3.h>
#include <stddef.h>

// SQLITE_TRANSIENT is a cast macro that Swift cannot import.
static inline sqlite3_destructor_type zumod_sqlite_transient(void) {
    return SQLITE_TRANSIENT;
}

// sqlite3_config takes variable arguments, which Swift cannot call.
static inline int zumod_sqlite_disable_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

// So does sqlite3_db_config. Off, "x" is a column or an error, and never the text x where there is no such column.
static inline int zumod_sqlite_refuse_quoted_texts(sqlite3 *database) {
    int code = sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    return code == SQLITE_OK ? sqlite3_db_config(database, SQLITE_DBCONFIG_DQS_DDL, 0, NULL) : code;
}

static inline int zumod_sqlite_set_allocator(const sqlite3_mem_methods *methods) {
    return sqlite3_config(SQLITE_CONFIG_MALLOC, methods);
}

// From malloc.h, which Swift's Glibc module lacks.
extern size_t malloc_usable_size(void *block);

// glibc's search in linear time, which its headers hide from Swift behind _GNU_SOURCE.
extern void *memmem(const void *text, size_t length, const void *needle, size_t needleLength);

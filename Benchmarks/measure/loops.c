/* Runs one statement over and over on one connection, and reads every value as text: what a store costs by itself.
 * usage: loops sqlite|postgres DATABASE SECONDS STATEMENT
 * Where the statement has a parameter, it is a number that counts up. Prints runs a second and CPU microseconds a run. */
#include <libpq-fe.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static volatile long seen;

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

static void fail(const char *text) {
    fprintf(stderr, "error: %s\n", text);
    exit(1);
}

static void run_sqlite(sqlite3 *database, sqlite3_stmt *statement, long turn) {
    if (sqlite3_bind_parameter_count(statement)) sqlite3_bind_int64(statement, 1, turn);
    int code;
    while ((code = sqlite3_step(statement)) == SQLITE_ROW)
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            seen += sqlite3_column_text(statement, column) != NULL;
    if (code != SQLITE_DONE) fail(sqlite3_errmsg(database));
    sqlite3_reset(statement);
}

static void run_postgres(PGconn *connection, int parameters, long turn) {
    char text[24];
    const char *values[] = { text };
    snprintf(text, sizeof text, "%ld", turn);
    PGresult *result = PQexecPrepared(connection, "one", parameters, values, NULL, NULL, 0);
    ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_TUPLES_OK && status != PGRES_COMMAND_OK) fail(PQerrorMessage(connection));
    for (int row = 0; row < PQntuples(result); row++)
        for (int column = 0; column < PQnfields(result); column++)
            seen += PQgetlength(result, row, column);
    PQclear(result);
}

int main(int count, char **words) {
    if (count != 5) fail("usage: loops sqlite|postgres DATABASE SECONDS STATEMENT");
    int is_sqlite = !strcmp(words[1], "sqlite");
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    PGconn *connection = NULL;
    if (is_sqlite) {
        if (sqlite3_open(words[2], &database)) fail(sqlite3_errmsg(database));
        /* As the server has it: a write is on disk when it is answered. */
        sqlite3_exec(database, "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL", NULL, NULL, NULL);
        if (sqlite3_prepare_v2(database, words[4], -1, &statement, NULL)) fail(sqlite3_errmsg(database));
    } else {
        connection = PQconnectdb(words[2]);
        if (PQstatus(connection) != CONNECTION_OK) fail(PQerrorMessage(connection));
        PGresult *result = PQprepare(connection, "one", words[4], 0, NULL);
        if (PQresultStatus(result) != PGRES_COMMAND_OK) fail(PQerrorMessage(connection));
        PQclear(result);
    }
    int parameters = strstr(words[4], "$1") != NULL;
    double seconds = atof(words[3]), began = now(CLOCK_MONOTONIC), cpu = now(CLOCK_PROCESS_CPUTIME_ID), end;
    long turn = 0;
    do {
        turn++;
        if (is_sqlite) run_sqlite(database, statement, turn);
        else run_postgres(connection, parameters, turn);
        end = now(CLOCK_MONOTONIC);
    } while (end - began < seconds);
    printf("%.1f %.2f\n", turn / (end - began), (now(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e6 / turn);
    return 0;
}

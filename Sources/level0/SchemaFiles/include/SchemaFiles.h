#ifndef SCHEMA_FILES_H
#define SCHEMA_FILES_H

/* A migration, as `postgres/0001-foundation.sql`, or another file that the SQL layer reads. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    unsigned long length;
} schema_file_t;

/* How many files there are. */
int schema_file_count(void);

/* One of them, by its place; they are in the order of their names. */
schema_file_t schema_file(int place);

#endif

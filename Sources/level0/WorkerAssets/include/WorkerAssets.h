#ifndef WORKER_ASSETS_H
#define WORKER_ASSETS_H

/* A file of the program that runs scripts. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    unsigned long length;
} worker_asset_t;

/* How many files there are. */
int worker_asset_count(void);

/* One of them, by its place. */
worker_asset_t worker_asset(int place);

#endif

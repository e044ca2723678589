#ifndef PAGE_ASSETS_H
#define PAGE_ASSETS_H

/* A file of the data page. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    unsigned long length;
} page_asset_t;

/* How many files there are. */
int page_asset_count(void);

/* One of them, by its place. */
page_asset_t page_asset(int place);

#endif

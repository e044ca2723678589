#pragma once
#include <zlib.h>

// Both are macros, which Swift cannot call. 31 is the largest window, in gzip's wrapping.
static inline int zumod_deflate_begin(z_stream *stream, int level) {
    return deflateInit2(stream, level, Z_DEFLATED, 31, 8, Z_DEFAULT_STRATEGY);
}

static inline int zumod_inflate_begin(z_stream *stream) {
    return inflateInit2(stream, 31);
}

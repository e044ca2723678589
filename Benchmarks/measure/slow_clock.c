/* The monotonic clock of a program that something slows down: it goes as much slower as the program does.
 *
 * A list gives way to a thread of the pool when it has taken a millisecond of an event loop. Under valgrind every list
 * takes longer than that now and then, by what else the machine does, so that its instructions would be counted on one
 * way or on the other by chance. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <time.h>

enum { FACTOR = 200 };

int clock_gettime(clockid_t clock, struct timespec *time) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, time);
    /* That of short times alone: by the others the system itself waits, and would do so for nothing. */
    if (result != 0 || clock != CLOCK_MONOTONIC_RAW) return result;
    uint64_t nanoseconds = ((uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec) / FACTOR;
    time->tv_sec = (time_t)(nanoseconds / 1000000000);
    time->tv_nsec = (long)(nanoseconds % 1000000000);
    return 0;
}

#pragma once
// A program in a process of its own. Swift knows no fork, and posix_spawn neither another user nor the parent's death.
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __linux__
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#endif

// Closes this process to all others of its user that have no rights beyond his: nobody reads its memory or its environment,
// traces it, or has a core of it.
static inline void zumod_close_process(void)
{
#ifdef __linux__
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
#endif
}

#ifdef __linux__
// Keeps this process, which can't gain rights any more, and what it begins from looking into others: from their memory, their
// environment and their descriptors. Where the system knows no Landlock, what zumod_close_process did has to do.
static inline void zumod_close_others(void)
{
    // What lets root look into any process, or into the system itself: SYS_MODULE, SYS_RAWIO, SYS_PTRACE, SYS_ADMIN, PERFMON,
    // BPF, CHECKPOINT_RESTORE. A program that is begun as root has no more than the bounds leave it.
    const int rights[] = {16, 17, 19, 21, 38, 39, 40};
    for (unsigned number = 0; number < sizeof rights / sizeof rights[0]; number++)
        prctl(PR_CAPBSET_DROP, rights[number], 0, 0, 0);
    struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    // Landlock (landlock_create_ruleset, _add_rule and _restrict_self have these numbers on every machine): whoever is in a
    // domain can't trace whoever isn't. A domain denies nothing else here: to move a file to another folder, which each
    // denies unless it is allowed, is allowed everywhere. Before its second version that couldn't be.
    if (syscall(444, (void *)0, 0, 1) < 2) return;
    const uint64_t move = 1 << 13;
    struct { uint64_t files; } rules = {move};
    struct { uint64_t allowed; int32_t parent; } __attribute__((packed)) everywhere = {move, -1};
    int domain = (int)syscall(444, &rules, sizeof rules, 0);
    everywhere.parent = open("/", 010000000 /* O_PATH, which hides behind _GNU_SOURCE */ | O_CLOEXEC);
    if (domain >= 0 && everywhere.parent >= 0 && syscall(445, domain, 1, &everywhere, 0) == 0)
        syscall(446, domain, 0);
    if (everywhere.parent >= 0) close(everywhere.parent);
    if (domain >= 0) close(domain);
}
#endif

typedef struct {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    // What become its standard input, its output with its errors, and its descriptors 3 and 4.
    int input, output, channel, marks;
    // Whose rights it has; those of this process where `changes_user` is 0.
    int changes_user;
    uid_t user;
    gid_t group;
} zumod_worker_t;

// Returns a file that nobody else can open, or -1.
static inline int zumod_open_marks(void)
{
#if defined(__linux__) && defined(SYS_memfd_create)
    // MFD_CLOEXEC
    return (int)syscall(SYS_memfd_create, "zumod-marks", 1U);
#else
    char path[] = "/tmp/zumod-marks-XXXXXX";
    int descriptor = mkstemp(path);
    if (descriptor < 0) return -1;
    unlink(path);
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    return descriptor;
#endif
}

#ifdef __linux__
#define ZUMOD_BORROWING_FORK vfork
#else
#define ZUMOD_BORROWING_FORK fork
#endif

// Returns the process, or -1. It dies with the thread that began it, which is to live as long.
static inline pid_t zumod_start_worker(const zumod_worker_t *worker)
{
    pid_t parent = getpid();
    // No signal may run the server's code in a child that has the server's memory.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    // To copy the map of a large server's memory takes milliseconds, and each page that it writes next takes another copy. A
    // child that borrows the memory may not change its user, though: the C library does that for all of the server's threads.
    pid_t child = worker->changes_user ? fork() : ZUMOD_BORROWING_FORK();
    if (child != 0) {
        pthread_sigmask(SIG_SETMASK, &before, 0);
        return child;
    }
    // From here on only what is safe in the child of a program with threads, and what leaves the memory as it is.
    int input = fcntl(worker->input, F_DUPFD, 10);
    int output = fcntl(worker->output, F_DUPFD, 10);
    int channel = fcntl(worker->channel, F_DUPFD, 10);
    int marks = fcntl(worker->marks, F_DUPFD, 10);
    if (input < 0 || output < 0 || channel < 0 || marks < 0) _exit(126);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || dup2(channel, 3) < 0) _exit(126);
    if (dup2(marks, 4) < 0) _exit(126);
    int closed = -1;
#if defined(__linux__) && defined(SYS_close_range)
    closed = (int)syscall(SYS_close_range, 5, ~0U, 0);
#endif
    if (closed != 0)
        for (int descriptor = 5; descriptor < 65536; descriptor++) close(descriptor);
    for (int number = 1; number < 32; number++) signal(number, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, 0);
    setpgid(0, 0);
    if (worker->changes_user) {
        if (setgroups(0, 0) != 0 || setgid(worker->group) != 0 || setuid(worker->user) != 0) _exit(125);
    }
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    // The server's memory and environment hold its keys, other workers' memory users' tokens.
    zumod_close_others();
    if (getppid() != parent) _exit(124);
#endif
    if (chdir(worker->directory) != 0) _exit(123);
    execve(worker->path, worker->arguments, worker->environment);
    _exit(127);
}

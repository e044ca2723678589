#pragma once
// A program in a process of its own. Swift knows no fork, and posix_spawn neither another user nor the parent's death.
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/types.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

typedef struct {
    const char *path;
    char *const *arguments;
    char *const *environment;
    const char *directory;
    // What become its standard input, its output with its errors, and its descriptor 3.
    int input, output, channel;
    // Whose rights it has; those of this process where `changes_user` is 0.
    int changes_user;
    uid_t user;
    gid_t group;
} zumod_worker_t;

// Returns the process, or -1. It dies with the thread that began it, which is to live as long.
static inline pid_t zumod_start_worker(const zumod_worker_t *worker)
{
    pid_t parent = getpid();
    pid_t child = fork();
    if (child != 0) return child;
    // From here on only what is safe in the child of a program with threads.
    int input = fcntl(worker->input, F_DUPFD, 10);
    int output = fcntl(worker->output, F_DUPFD, 10);
    int channel = fcntl(worker->channel, F_DUPFD, 10);
    if (input < 0 || output < 0 || channel < 0) _exit(126);
    if (dup2(input, 0) < 0 || dup2(output, 1) < 0 || dup2(output, 2) < 0 || dup2(channel, 3) < 0) _exit(126);
    int closed = -1;
#if defined(__linux__) && defined(SYS_close_range)
    closed = (int)syscall(SYS_close_range, 4, ~0U, 0);
#endif
    if (closed != 0)
        for (int descriptor = 4; descriptor < 65536; descriptor++) close(descriptor);
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
    // Its memory may hold users' tokens: no other process of the same user is to look at it, nor a core of it be left.
    if (getppid() != parent) _exit(124);
#endif
    if (chdir(worker->directory) != 0) _exit(123);
    execve(worker->path, worker->arguments, worker->environment);
    _exit(127);
}

#pragma once
// What the system's own module leaves out.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#ifdef __linux__
#include <linux/filter.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>

// These hide behind _GNU_SOURCE, which a module map cannot set: POLLRDHUP and accept4.
static const short zumod_poll_leave = 0x2000;
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);
#endif

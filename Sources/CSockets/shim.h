#pragma once
// The Glibc module leaves these out.
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>

// accept4 hides behind _GNU_SOURCE, which a module map cannot set.
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

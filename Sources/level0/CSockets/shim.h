#pragma once
// What the system's own module leaves out.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#ifdef __linux__
#include <elf.h>
#include <linux/filter.h>
#include <malloc.h>
#include <sys/auxv.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/random.h>

// These hide behind _GNU_SOURCE, which a module map cannot set: POLLRDHUP and accept4.
static const short zumod_poll_leave = 0x2000;
extern int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags);

// Unmaps what of the program's file is in memory and never written: the system finds it again when it is used.
static inline void zumod_unmap_program(void) {
#ifdef __LP64__
    const Elf64_Phdr *headers = (const Elf64_Phdr *)getauxval(AT_PHDR);
    const unsigned long count = getauxval(AT_PHNUM), page = getauxval(AT_PAGESZ);
    unsigned long base = 0;
    if (headers == NULL || page == 0) return;
    for (unsigned long i = 0; i < count; i++)
        if (headers[i].p_type == PT_PHDR) base = (unsigned long)headers - headers[i].p_vaddr;
    if (base == 0) return;
    for (unsigned long i = 0; i < count; i++) {
        if (headers[i].p_type != PT_LOAD || headers[i].p_flags & PF_W) continue;
        const unsigned long start = (base + headers[i].p_vaddr) & ~(page - 1);
        madvise((void *)start, base + headers[i].p_vaddr + headers[i].p_memsz - start, 4 /* MADV_DONTNEED */);
    }
#endif
}
#endif

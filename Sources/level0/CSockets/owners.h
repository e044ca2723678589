#pragma once
// Whose a socket is. The table in /proc leaves lines out while others come and go; the kernel itself leaves out none.
#include <stdint.h>
#include <string.h>
#include <sys/time.h>
#include <sys/socket.h>
#include <unistd.h>
#ifdef __linux__
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#endif

// The users of the open TCP sockets of this machine that lead from one port to another: at most `most` of them.
// Returns how many there are, or -1 where the system doesn't tell.
static inline int zumod_socket_users(uint16_t from, uint16_t to, uint32_t *users, int most)
{
#ifdef __linux__
    int count = 0;
    int channel = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    if (channel < 0) return -1;
    struct timeval patience = {1, 0};
    setsockopt(channel, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    const uint8_t families[] = {AF_INET, AF_INET6};
    for (int turn = 0; turn < 2; turn++) {
        struct {
            struct nlmsghdr head;
            struct inet_diag_req_v2 body;
        } request;
        memset(&request, 0, sizeof request);
        request.head.nlmsg_len = sizeof request;
        request.head.nlmsg_type = SOCK_DIAG_BY_FAMILY;
        request.head.nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
        request.body.sdiag_family = families[turn];
        request.body.sdiag_protocol = IPPROTO_TCP;
        request.body.idiag_states = 1 << 1; // open
        request.body.id.idiag_sport = htons(from);
        request.body.id.idiag_dport = htons(to);
        if (send(channel, &request, sizeof request, 0) != (ssize_t)sizeof request) goto silent;
        for (int isDone = 0; !isDone;) {
            _Alignas(struct nlmsghdr) char answer[16384];
            ssize_t length = recv(channel, answer, sizeof answer, 0);
            if (length <= 0) goto silent;
            struct nlmsghdr *message = (struct nlmsghdr *)answer;
            for (; NLMSG_OK(message, (unsigned)length); message = NLMSG_NEXT(message, length)) {
                if (message->nlmsg_type == NLMSG_ERROR) goto silent;
                if (message->nlmsg_type == NLMSG_DONE) {
                    isDone = 1;
                    break;
                }
                const struct inet_diag_msg *found = (const struct inet_diag_msg *)NLMSG_DATA(message);
                if (found->idiag_state != 1 || found->id.idiag_sport != htons(from) ||
                    found->id.idiag_dport != htons(to))
                    continue;
                if (count < most) users[count] = found->idiag_uid;
                count++;
            }
        }
    }
    close(channel);
    return count < most ? count : most;
silent:
    close(channel);
    return -1;
#else
    return -1;
#endif
}

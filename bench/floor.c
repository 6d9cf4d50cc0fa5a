/* The least a generator can cost: no parser, no clock, no record.
 *
 *   floor closed PORT SECONDS CONNECTIONS   one epoll loop, a write and a read for each request
 *   floor open   PORT SECONDS RATE          one sleep, one write and one read for each request, the answer being
 *                                           read only before the next request is sent on its connection
 *   floor gaps   0    SECONDS 0              sends nothing: reads the clock in a loop, and says for how many
 *                                           milliseconds in all, and at the longest, it did not have its core
 *                                           (only what lasted over a millisecond counts)
 *
 * The first two print the number of answers. Answers of the testkit's default path fit into one segment, which is all this
 * program understands.
 */
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char request[] = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: floor\r\nAccept: */*\r\n\r\n";
static char answer[4096];

static void die(const char *what) {
    perror(what);
    exit(1);
}

static int dial(int port) {
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(port)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int one = 1, to_server = socket(AF_INET, SOCK_STREAM, 0);
    if (to_server < 0 || connect(to_server, (struct sockaddr *)&to, sizeof to) != 0) die("connect");
    setsockopt(to_server, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    return to_server;
}

static void ask(int to_server) {
    if (send(to_server, request, sizeof request - 1, MSG_NOSIGNAL) < 0) die("send");
}

static void hear(int to_server) {
    if (recv(to_server, answer, sizeof answer, 0) <= 0) die("recv");
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec + t.tv_nsec / 1e9;
}

static long closed(int port, double seconds, int connections) {
    int set = epoll_create1(0);
    struct epoll_event ready[1024];
    for (int i = 0; i < connections; i++) {
        struct epoll_event interest = {.events = EPOLLIN | EPOLLET, .data.fd = dial(port)};
        if (epoll_ctl(set, EPOLL_CTL_ADD, interest.data.fd, &interest) != 0) die("epoll_ctl");
        ask(interest.data.fd);
    }
    long answers = 0;
    for (double end = now() + seconds; now() < end;) {
        int count = epoll_wait(set, ready, 1024, 1000);
        for (int i = 0; i < count; i++, answers++) {
            hear(ready[i].data.fd);
            ask(ready[i].data.fd);
        }
    }
    return answers;
}

static long opened(int port, double seconds, int rate) {
    int to_server = dial(port);
    long count = seconds * rate, distance_ns = 1000000000L / rate;
    struct timespec due;
    clock_gettime(CLOCK_MONOTONIC, &due);
    prctl(PR_SET_TIMERSLACK, 1);
    for (long i = 0; i < count; i++) {
        due.tv_nsec += distance_ns;
        due.tv_sec += due.tv_nsec / 1000000000L;
        due.tv_nsec %= 1000000000L;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        if (i > 0) hear(to_server);
        ask(to_server);
    }
    hear(to_server);
    return count;
}

static void gaps(double seconds) {
    double begin = now(), before = begin, sum = 0, longest = 0;
    while (before - begin < seconds) {
        double after = now(), gap = after - before;
        if (gap > 0.001) sum += gap;
        if (gap > 0.001 && gap > longest) longest = gap;
        before = after;
    }
    printf("%.1f %.1f\n", sum * 1e3, longest * 1e3);
}

int main(int count, char **words) {
    if (count != 5) return 2;
    int port = atoi(words[2]), number = atoi(words[4]);
    double seconds = atof(words[3]);
    if (strcmp(words[1], "gaps") == 0) {
        gaps(seconds);
        return 0;
    }
    printf("%ld\n", strcmp(words[1], "open") == 0 ? opened(port, seconds, number) : closed(port, seconds, number));
    return 0;
}

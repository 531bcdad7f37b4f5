/*
 * Measures how a program that makes nat rules starts, from outside: bench-start watch [--once] -- PROGRAM ARGUMENT...
 * Prints one line: ms from exec to the last change of nf_tables, ms to HTTP ready, CPU ms until then with all tools that it
 * has waited for, RSS and private memory in KiB. With --once the program ends by itself and serves nothing.
 *
 * bench-start classic FILE4 FILE6 makes the calls of the classic agent, in its order: per family a new chain, the check
 * of the jump, the jump, and all rules of a file at once.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { PORT = 19180, LIMIT_MS = 60000 };

static void die(const char *what) {
  fprintf(stderr, "bench-start: %s: %s\n", what, strerror(errno));
  exit(1);
}

static double now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* Runs a tool to its end, with a file as its input; returns how it ended. */
static int tool(const char *input, char *const arguments[]) {
  pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    int in = open(input, O_RDONLY), none = open("/dev/null", O_WRONLY);
    dup2(in, 0);
    dup2(none, 1);
    dup2(none, 2);
    execvp(arguments[0], arguments);
    _exit(127);
  }
  int status;
  if (waitpid(child, &status, 0) < 0) die("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

static int classic(const char *files[2]) {
  char *tools[2] = {"iptables", "ip6tables"}, *restores[2] = {"iptables-restore", "ip6tables-restore"};
  for (int family = 0; family < 2; family++) {
    char *new_chain[] = {tools[family], "-w", "-t", "nat", "-N", "IP-MASQ-AGENT", NULL};
    char *jump[] = {tools[family], "-w", "-t", "nat", "-C", "POSTROUTING", "-m", "comment", "--comment",
                    "ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination traffic to our custom IP-MASQ-AGENT chain",
                    "-m", "addrtype", "!", "--dst-type", "LOCAL", "-j", "IP-MASQ-AGENT", NULL};
    char *restore[] = {restores[family], "-w", "--noflush", NULL};
    tool("/dev/null", new_chain);
    if (tool("/dev/null", jump) != 0) {
      jump[4] = "-A";
      if (tool("/dev/null", jump) != 0) return 1;
    }
    if (tool(files[family], restore) != 0) return 1;
  }
  return 0;
}

static int listen_to_nf_tables(void) {
  struct sockaddr_nl address = {.nl_family = AF_NETLINK};
  int group = NFNLGRP_NFTABLES, room = 8 << 20;
  int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_NETFILTER);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0) die("netlink");
  if (setsockopt(fd, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) != 0) die("netlink group");
  setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
  return fd;
}

static int http_ready(void) {
  static const char question[] = "GET /q/health/ready HTTP/1.0\r\nHost: localhost\r\n\r\n";
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(PORT), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  char answer[64] = "";
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) die("socket");
  if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0
      && write(fd, question, sizeof question - 1) == sizeof question - 1) {
    ssize_t size = read(fd, answer, sizeof answer - 1);
    if (size > 0) answer[size] = '\0';
  }
  close(fd);
  return strstr(answer, " 200 ") != NULL;
}

/* KiB behind a name in /proc/PID/smaps_rollup, summed over all lines that begin so. */
static long memory(pid_t pid, const char *name) {
  char path[64], line[256];
  long sum = 0, value;
  snprintf(path, sizeof path, "/proc/%d/smaps_rollup", pid);
  FILE *file = fopen(path, "r");
  if (file == NULL) return 0;
  while (fgets(line, sizeof line, file) != NULL) {
    if (strncmp(line, name, strlen(name)) == 0 && sscanf(strchr(line, ':') + 1, "%ld", &value) == 1) sum += value;
  }
  fclose(file);
  return sum;
}

static int watch(int once, char *const arguments[]) {
  int events = listen_to_nf_tables(), status;
  char datagram[65536];
  double last = 0, ready = 0;
  long rss = 0, anonymous = 0;
  struct rusage used;
  double start = now_ms();
  pid_t child = fork();
  if (child < 0) die("fork");
  if (child == 0) {
    int none = open("/dev/null", O_WRONLY);
    dup2(none, 1);
    execvp(arguments[0], arguments);
    die(arguments[0]);
  }
  for (;;) {
    struct pollfd waiting = {.fd = events, .events = POLLIN};
    poll(&waiting, 1, 1);
    while (recv(events, datagram, sizeof datagram, MSG_TRUNC) > 0) last = now_ms();
    if (once) {
      if (wait4(child, &status, WNOHANG, &used) == child) break;
    } else if (last > 0 && http_ready()) {
      ready = now_ms();
      rss = memory(child, "Rss");
      anonymous = memory(child, "Anonymous");
      kill(child, SIGKILL);
      wait4(child, &status, 0, &used);
      break;
    } else if (waitpid(child, &status, WNOHANG) == child) {
      fprintf(stderr, "bench-start: %s ended with %d\n", arguments[0], status);
      return 1;
    }
    if (now_ms() - start > LIMIT_MS) {
      kill(child, SIGKILL);
      fprintf(stderr, "bench-start: %s is not ready after %d s\n", arguments[0], LIMIT_MS / 1000);
      return 1;
    }
  }
  while (recv(events, datagram, sizeof datagram, MSG_TRUNC) > 0) last = last > 0 ? last : now_ms();
  double cpu = (used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e3 + (used.ru_utime.tv_usec + used.ru_stime.tv_usec) / 1e3;
  printf("%.1f\t%.1f\t%.1f\t%ld\t%ld\n", last - start, ready > 0 ? ready - start : 0, cpu, rss, anonymous);
  return last > 0 ? 0 : 1;
}

int main(int count, char *arguments[]) {
  if (count == 4 && strcmp(arguments[1], "classic") == 0) {
    const char *files[2] = {arguments[2], arguments[3]};
    return classic(files);
  }
  if (count > 3 && strcmp(arguments[1], "watch") == 0) {
    int once = strcmp(arguments[2], "--once") == 0;
    return watch(once, arguments + 3 + once);
  }
  fprintf(stderr, "usage: bench-start watch [--once] -- PROGRAM ARGUMENT... | bench-start classic FILE4 FILE6\n");
  return 2;
}

#include "CTestProcess.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

// Where a program can start others.
#if defined(__linux__) || (defined(__APPLE__) && TARGET_OS_OSX)
#define STARTS_PROCESSES 1
#else
#define STARTS_PROCESSES 0
#endif

// All tests that could begin at once would wait for each other, and each for its processor: so begin those that four
// for each processor allow, since many wait for a server, another process or a time. Where races are looked for, each
// takes many times as long and as much memory, so it is two. Another number in the environment wins.
static void limit_width(void) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  char width[16];
  long each = test_process_looks_for_races() ? 2 : 4;
  snprintf(width, sizeof width, "%ld", each * (processors < 1 ? 1 : processors));
  setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}

#if STARTS_PROCESSES

// The process of an exit test ends when that of the tests has ended: then it is another's child.
static void *end_with_parent(void *parent) {
  while (getppid() == (pid_t)(intptr_t)parent) sleep(1);
  _exit(1);
}

// Each message to the guardian: a child that begins, or with a minus one that has ended.
static int guardian = -1;

static void say(pid_t message) {
  if (guardian < 0) return;
  // Shorter than what a pipe takes whole.
  ssize_t written = write(guardian, &message, sizeof message);
  (void)written;
}

// A process of its own, which is there after any end of this one, and sees that end by the end of a pipe.
static void be_guardian(int pipe) {
  enum { most = 256 };
  pid_t children[most], message;
  int count = 0;
  // A key that ends the tests ends this one by the pipe.
  setpgid(0, 0);
  // Nobody is to wait for the end of what this one prints.
  for (int file = 0; file < 3; file++) close(file);
  while (read(pipe, &message, sizeof message) == sizeof message) {
    for (int index = 0; index < count; index++) {
      if (children[index] == -message) children[index--] = children[--count];
    }
    if (message > 0 && count < most) children[count++] = message;
  }
  while (count > 0) kill(children[--count], SIGKILL);
  _exit(0);
}

static void start_guardian(void) {
  int ends[2];
  if (pipe(ends) != 0) return;
  for (int end = 0; end < 2; end++) fcntl(ends[end], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) {
    close(ends[1]);
    be_guardian(ends[0]);
  }
  close(ends[0]);
  if (child < 0) close(ends[1]);
  else guardian = ends[1];
}

static void tie_to_others(void) {
  // It names the exit test that a process is for.
  if (getenv("SWT_EXIT_TEST_ID") == NULL) return start_guardian();
  pthread_t thread;
  if (pthread_create(&thread, NULL, end_with_parent, (void *)(intptr_t)getppid()) == 0) {
    pthread_detach(thread);
  }
}

#else

static void say(pid_t message) { (void)message; }
static void tie_to_others(void) {}

#endif

void test_process_guard(pid_t child) { say(child); }
void test_process_release(pid_t child) { say(-child); }

bool test_process_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return test_process_looks_for_races();
}

bool test_process_looks_for_races(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}

__attribute__((constructor)) static void begin(void) {
  limit_width();
  // Other threads read the table of variables, so only the value of this one changes when a server has been started.
  setenv("SIGNALBOX_TEST_SERVER", "", 0);
  tie_to_others();
}

#include "CLocking.h"

#include <stdlib.h>
#if !defined(_WIN32)
#include <time.h>
#endif

static _Thread_local char token;
static _Thread_local intptr_t words[2];

intptr_t sb_thread_token(void) { return (intptr_t)&token; }
intptr_t sb_thread_word(int index) { return words[index]; }
void sb_thread_set_word(int index, intptr_t value) { words[index] = value; }

// Each on cache lines of its own.
typedef union {
  sb_lock lock;
  char bytes[128];
} sb_padded_lock;

#if defined(_WIN32)
#define SB_LOCK_INIT SRWLOCK_INIT
#else
#define SB_LOCK_INIT PTHREAD_MUTEX_INITIALIZER
#endif

#define SB_LOCKS_4 {SB_LOCK_INIT}, {SB_LOCK_INIT}, {SB_LOCK_INIT}, {SB_LOCK_INIT}
#define SB_LOCKS_16 SB_LOCKS_4, SB_LOCKS_4, SB_LOCKS_4, SB_LOCKS_4
#define SB_LOCKS_64 SB_LOCKS_16, SB_LOCKS_16, SB_LOCKS_16, SB_LOCKS_16

static sb_padded_lock shared[64] = {SB_LOCKS_64};

sb_lock *sb_shared_lock(void) {
  static uint32_t next;
  return &shared[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % 64].lock;
}

#if defined(_WIN32)

void sb_condition_init(sb_condition *condition) { InitializeConditionVariable(condition); }

void sb_condition_wait_for(sb_condition *condition, sb_lock *lock, int64_t nanoseconds) {
  int64_t milliseconds = (nanoseconds + 999999) / 1000000;
  // The largest number means for ever.
  DWORD time = milliseconds < 0xFFFFFFFE ? (DWORD)milliseconds : 0xFFFFFFFE;
  SleepConditionVariableSRW(condition, lock, time, 0);
}

#else

void sb_condition_init(sb_condition *condition) {
#if defined(__APPLE__)
  pthread_cond_init(condition, NULL);
#else
  // A time to wait is no matter of the wall clock, which people set.
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
#endif
}

void sb_condition_wait_for(sb_condition *condition, sb_lock *lock, int64_t nanoseconds) {
  struct timespec time = {(time_t)(nanoseconds / 1000000000), (long)(nanoseconds % 1000000000)};
#if defined(__APPLE__)
  pthread_cond_timedwait_relative_np(condition, lock, &time);
#else
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  time.tv_sec += now.tv_sec;
  time.tv_nsec += now.tv_nsec;
  if (time.tv_nsec >= 1000000000) {
    time.tv_sec += 1;
    time.tv_nsec -= 1000000000;
  }
  pthread_cond_timedwait(condition, lock, &time);
#endif
}

#endif

typedef struct {
  void (*body)(void *);
  void *context;
} sb_thread_start_info;

#if defined(_WIN32)
static DWORD WINAPI sb_thread_main(void *argument) {
#else
static void *sb_thread_main(void *argument) {
#endif
  sb_thread_start_info info = *(sb_thread_start_info *)argument;
  free(argument);
  info.body(info.context);
  return 0;
}

bool sb_thread_start(void (*body)(void *), void *context) {
  sb_thread_start_info *info = malloc(sizeof *info);
  if (!info) return false;
  *info = (sb_thread_start_info){body, context};
#if defined(_WIN32)
  HANDLE thread = CreateThread(NULL, 0, sb_thread_main, info, 0, NULL);
  if (thread) CloseHandle(thread);
  bool started = thread != NULL;
#else
  pthread_t thread;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  bool started = pthread_create(&thread, &attributes, sb_thread_main, info) == 0;
  pthread_attr_destroy(&attributes);
#endif
  if (!started) free(info);
  return started;
}

#include "CLocking.h"

#include <stdlib.h>
#include <time.h>

static _Thread_local char token;
static _Thread_local intptr_t words[4];

intptr_t sb_thread_token(void) { return (intptr_t)&token; }
intptr_t sb_thread_word(int index) { return words[index]; }
void sb_thread_set_word(int index, intptr_t value) { words[index] = value; }

double sb_seconds_since_1970(void) {
  struct timespec time;
#if defined(_WIN32)
  timespec_get(&time, TIME_UTC);
#else
  clock_gettime(CLOCK_REALTIME, &time);
#endif
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void (*kept_end)(void *object);

#if defined(_WIN32)

// Kept in the system's place alone, which each fiber of a thread has for itself: a word of the thread's would show
// one fiber what another one keeps, and both would end it.
static DWORD kept_index = FLS_OUT_OF_INDEXES;
static INIT_ONCE kept_once = INIT_ONCE_STATIC_INIT;

void *sb_thread_kept(void) {
  DWORD index = __atomic_load_n(&kept_index, __ATOMIC_ACQUIRE);
  return index == FLS_OUT_OF_INDEXES ? NULL : FlsGetValue(index);
}

static void WINAPI kept_ends(void *object) {
  // A fiber may be ended by another one, which keeps its own.
  if (sb_thread_kept() == object) FlsSetValue(kept_index, NULL);
  kept_end(object);
}

static BOOL CALLBACK kept_begins(INIT_ONCE *once, void *end, void **context) {
  (void)once;
  (void)context;
  kept_end = (void (*)(void *))end;
  __atomic_store_n(&kept_index, FlsAlloc(kept_ends), __ATOMIC_RELEASE);
  return TRUE;
}

bool sb_thread_keep(void *object, void (*end)(void *object)) {
  InitOnceExecuteOnce(&kept_once, kept_begins, (void *)end, NULL);
  return kept_index != FLS_OUT_OF_INDEXES && FlsSetValue(kept_index, object);
}

#else

static _Thread_local void *kept;

void *sb_thread_kept(void) { return kept; }

static pthread_key_t kept_key;
static bool has_kept_key;
static pthread_once_t kept_once = PTHREAD_ONCE_INIT;

static void kept_ends(void *object) {
  kept = NULL;
  // Other threads write the same word meanwhile.
  void (*end)(void *object) = __atomic_load_n(&kept_end, __ATOMIC_RELAXED);
  end(object);
}

static void kept_begins(void) { has_kept_key = pthread_key_create(&kept_key, kept_ends) == 0; }

bool sb_thread_keep(void *object, void (*end)(void *object)) {
  // The same word from all threads.
  __atomic_store_n(&kept_end, end, __ATOMIC_RELAXED);
  pthread_once(&kept_once, kept_begins);
  if (!has_kept_key || pthread_setspecific(kept_key, object) != 0) return false;
  kept = object;
  return true;
}

#endif

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

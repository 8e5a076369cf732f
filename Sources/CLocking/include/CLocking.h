// One lock, one condition, one atomic word, thread-local words and a hint over the platform's own.
// They are inline here so that a lock or an atomic costs no call.
#ifndef SIGNALBOX_CLOCKING_H
#define SIGNALBOX_CLOCKING_H

#include <stdbool.h>
#include <stdint.h>

#if defined(_WIN32)
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
typedef SRWLOCK sb_lock;
static inline void sb_lock_init(sb_lock *lock) { InitializeSRWLock(lock); }
static inline void sb_lock_destroy(sb_lock *lock) { (void)lock; }
static inline void sb_lock_lock(sb_lock *lock) { AcquireSRWLockExclusive(lock); }
static inline void sb_lock_unlock(sb_lock *lock) { ReleaseSRWLockExclusive(lock); }
static inline void sb_thread_yield(void) { SwitchToThread(); }
typedef CONDITION_VARIABLE sb_condition;
static inline void sb_condition_destroy(sb_condition *condition) { (void)condition; }
static inline void sb_condition_wait(sb_condition *condition, sb_lock *lock) {
  SleepConditionVariableSRW(condition, lock, INFINITE, 0);
}
static inline void sb_condition_broadcast(sb_condition *condition) {
  WakeAllConditionVariable(condition);
}
#else
#include <pthread.h>
#include <sched.h>
typedef pthread_mutex_t sb_lock;
static inline void sb_lock_init(sb_lock *lock) { pthread_mutex_init(lock, NULL); }
static inline void sb_lock_destroy(sb_lock *lock) { pthread_mutex_destroy(lock); }
static inline void sb_lock_lock(sb_lock *lock) { pthread_mutex_lock(lock); }
static inline void sb_lock_unlock(sb_lock *lock) { pthread_mutex_unlock(lock); }
static inline void sb_thread_yield(void) { sched_yield(); }
typedef pthread_cond_t sb_condition;
static inline void sb_condition_destroy(sb_condition *condition) {
  pthread_cond_destroy(condition);
}
static inline void sb_condition_wait(sb_condition *condition, sb_lock *lock) {
  pthread_cond_wait(condition, lock);
}
static inline void sb_condition_broadcast(sb_condition *condition) {
  pthread_cond_broadcast(condition);
}
#endif

// The seconds since 1970 by the system's clock, which people set.
double sb_seconds_since_1970(void);

static inline intptr_t sb_atomic_load(const intptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline intptr_t sb_atomic_load_relaxed(const intptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline void sb_atomic_store(intptr_t *word, intptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}
static inline intptr_t sb_atomic_exchange(intptr_t *word, intptr_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}
static inline intptr_t sb_atomic_add(intptr_t *word, intptr_t value) {
  return __atomic_add_fetch(word, value, __ATOMIC_ACQ_REL);
}
static inline bool sb_atomic_compare_exchange(intptr_t *word, intptr_t expected, intptr_t desired) {
  return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}

static inline int32_t sb_atomic32_load(const int32_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}
static inline int32_t sb_atomic32_load_relaxed(const int32_t *word) {
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}
static inline void sb_atomic32_store(int32_t *word, int32_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline int32_t sb_atomic32_exchange(int32_t *word, int32_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}
static inline bool sb_atomic32_compare_exchange(int32_t *word, int32_t expected, int32_t desired) {
  return __atomic_compare_exchange_n(word, &expected, desired, false, __ATOMIC_ACQ_REL,
                                     __ATOMIC_ACQUIRE);
}
static inline int32_t sb_atomic32_or(int32_t *word, int32_t bits) {
  return __atomic_fetch_or(word, bits, __ATOMIC_ACQ_REL);
}

/// Tells the processor that memory will be read soon; any address will do.
static inline void sb_prefetch(const void *address) { __builtin_prefetch(address); }

/// One of a fixed number of locks, given out in turn.
///
/// Objects that share one wait for each other now and then, so it is held for a few loads and
/// stores, now and then for a copy of some memory, and no other lock is taken meanwhile.
sb_lock *sb_shared_lock(void);

void sb_condition_init(sb_condition *condition);

/// Waits as `sb_condition_wait` does, and no longer than a time.
void sb_condition_wait_for(sb_condition *condition, sb_lock *lock, int64_t nanoseconds);

/// Runs `body` with `context` on a thread of its own, which nobody waits for.
///
/// Not true if the system has no thread left; then `body` isn't run.
bool sb_thread_start(void (*body)(void *context), void *context);

/// An address that is this thread's alone while it lives.
intptr_t sb_thread_token(void);

/// A number that hardly any other living thread has, read without a call where that can be done.
///
/// It is odd, and its second bit is 0. It is read each time, since an async function may go on on
/// another thread.
static inline int32_t sb_thread_tag(void) {
  uint64_t address;
#if defined(__x86_64__) && defined(__linux__)
  __asm__ volatile("movq %%fs:0, %0" : "=r"(address));
#elif defined(__aarch64__) && defined(__linux__)
  __asm__ volatile("mrs %0, tpidr_el0" : "=r"(address));
#else
  address = (uint64_t)sb_thread_token() << 2;
#endif
  // Thread blocks are at least 64 bytes apart.
  return (int32_t)(uint32_t)((address >> 6) << 2 | 1);
}

/// Four words of this thread; 0 at first.
intptr_t sb_thread_word(int index);
void sb_thread_set_word(int index, intptr_t value);

/// An object that this thread keeps, or NULL.
void *sb_thread_kept(void);

/// Keeps an object, or none, in the place of the one before; `end` is called with the one that is there when the
/// thread ends, and is the same each time.
///
/// Not true if the system has no place left for it; then nothing is kept.
bool sb_thread_keep(void *object, void (*end)(void *object));

#endif

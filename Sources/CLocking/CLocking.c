#include "CLocking.h"

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

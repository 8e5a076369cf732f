#define _GNU_SOURCE
#include "CCounts.h"

#include <stdlib.h>

// A program's own definition of a function of the C library takes its place, in the libraries of the
// program as well. glibc has names for the originals.
#if defined(__GLIBC__)
#include <dlfcn.h>
#include <pthread.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static __thread size_t allocations __attribute__((tls_model("initial-exec")));
static __thread size_t locks __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) {
  allocations += 1;
  return __libc_malloc(size);
}

void *calloc(size_t count, size_t size) {
  allocations += 1;
  return __libc_calloc(count, size);
}

void *realloc(void *block, size_t size) {
  allocations += 1;
  return __libc_realloc(block, size);
}

typedef int (*lock_function)(pthread_mutex_t *);
static lock_function original_lock;

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  locks += 1;
  lock_function lock = __atomic_load_n(&original_lock, __ATOMIC_RELAXED);
  if (!lock) {
    // Several threads may get here, and find the same address.
    lock = (lock_function)dlsym(RTLD_NEXT, "pthread_mutex_lock");
    __atomic_store_n(&original_lock, lock, __ATOMIC_RELAXED);
  }
  return lock(mutex);
}

bool counts_are_taken(void) { return true; }
size_t thread_allocations(void) { return allocations; }
size_t thread_locks(void) { return locks; }
#else
bool counts_are_taken(void) { return false; }
size_t thread_allocations(void) { return 0; }
size_t thread_locks(void) { return 0; }
#endif

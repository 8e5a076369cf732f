#define _GNU_SOURCE
#include "CCounts.h"

#include <stdlib.h>

// A program's own definition of a function of the C library takes its place, in the libraries of the
// program as well. glibc has names for the originals.
#if defined(__GLIBC__)
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

#include <dlfcn.h>

static int (*original_lock)(pthread_mutex_t *);

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  locks += 1;
  if (!original_lock) {
    // Several threads would find the same address.
    original_lock = (int (*)(pthread_mutex_t *))dlsym(RTLD_NEXT, "pthread_mutex_lock");
  }
  return original_lock(mutex);
}

bool counts_are_taken(void) { return true; }
size_t thread_allocations(void) { return allocations; }
size_t thread_locks(void) { return locks; }
#else
bool counts_are_taken(void) { return false; }
size_t thread_allocations(void) { return 0; }
size_t thread_locks(void) { return 0; }
#endif

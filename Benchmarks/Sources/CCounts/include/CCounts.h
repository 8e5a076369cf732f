// How often the calling thread allocates memory and takes locks.
#ifndef SIGNALBOX_CCOUNTS_H
#define SIGNALBOX_CCOUNTS_H

#include <stdbool.h>
#include <stddef.h>

/// True if the counts below are taken; on other systems they stay 0.
bool counts_are_taken(void);

/// The number of blocks of memory that the calling thread has allocated so far.
size_t thread_allocations(void);

/// The number of mutexes that the calling thread has locked so far.
size_t thread_locks(void);

#endif

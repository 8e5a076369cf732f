// What Swift's platform modules don't show of the allocator.
#ifndef SIGNALBOX_CHEAP_H
#define SIGNALBOX_CHEAP_H

#include <stddef.h>

/// The bytes that are allocated at this moment, with what the allocator adds; 0 where the platform
/// doesn't tell.
size_t heap_bytes_in_use(void);

/// Forgets how much memory the process has had at once, and returns how much it has; 0 where the platform doesn't
/// tell.
size_t memory_peak_reset(void);

/// The bytes of memory that the process has had at once since the peak was forgotten.
size_t memory_peak(void);

#endif

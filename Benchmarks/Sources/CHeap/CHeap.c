#include "CHeap.h"

#include <stdlib.h>
#if defined(__APPLE__)
#include <malloc/malloc.h>
size_t heap_bytes_in_use(void) { return mstats().bytes_used; }
#elif defined(__GLIBC__)
#include <malloc.h>
size_t heap_bytes_in_use(void) {
  // `hblkhd` are the blocks that were mapped one by one, because they are large.
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}
#else
size_t heap_bytes_in_use(void) { return 0; }
#endif

#if defined(__linux__)
#include <stdio.h>
#include <string.h>

// A line of the process's own status, in bytes.
static size_t status_bytes(const char *name) {
  char line[256];
  size_t result = 0;
  FILE *file = fopen("/proc/self/status", "r");
  if (!file) return 0;
  while (fgets(line, sizeof line, file)) {
    if (strncmp(line, name, strlen(name)) == 0) {
      result = strtoull(line + strlen(name), NULL, 10) * 1024;
      break;
    }
  }
  fclose(file);
  return result;
}

size_t memory_peak_reset(void) {
#if defined(__GLIBC__)
  malloc_trim(0);
#endif
  FILE *file = fopen("/proc/self/clear_refs", "w");
  if (!file) return 0;
  fputs("5", file);
  fclose(file);
  return status_bytes("VmRSS:");
}

size_t memory_peak(void) { return status_bytes("VmHWM:"); }
#else
size_t memory_peak_reset(void) { return 0; }
size_t memory_peak(void) { return 0; }
#endif

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

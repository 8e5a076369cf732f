// Swift doesn't import what opens a terminal.
#define _GNU_SOURCE
#include "CTestProcess.h"

#include <fcntl.h>
#include <stdlib.h>

bool test_process_open_terminal(int *typing, int *program) {
  *typing = posix_openpt(O_RDWR | O_NOCTTY);
  if (*typing < 0 || grantpt(*typing) != 0 || unlockpt(*typing) != 0) return false;
  const char *name = ptsname(*typing);
  *program = name ? open(name, O_RDWR | O_NOCTTY) : -1;
  return *program >= 0;
}

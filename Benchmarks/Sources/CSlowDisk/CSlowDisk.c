// A disk under SQLite whose syncs are as slow as those of a phone or of a disk that turns.
//
// It is the default VFS, but for the sync of a file: a file is opened as always, and then has a table of
// methods with another sync.
#include "CSlowDisk.h"

#include <sqlite3.h>
#include <unistd.h>

static sqlite3_vfs slow;
static sqlite3_vfs *base;
static int delay;

// Main files and logs have different methods; there are few kinds.
typedef struct {
  sqlite3_io_methods methods;
  const sqlite3_io_methods *plain;
} kind;
static kind kinds[4];

static int slow_sync(sqlite3_file *file, int flags) {
  usleep((useconds_t)delay);
  return ((const kind *)file->pMethods)->plain->xSync(file, flags);
}

static int slow_open(
  sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *given) {
  (void)vfs;
  int code = base->xOpen(base, name, file, flags, given);
  if (code != SQLITE_OK || !file->pMethods) return code;
  for (int index = 0; index < 4; index += 1) {
    kind *found = &kinds[index];
    if (!found->plain) {
      found->plain = file->pMethods;
      found->methods = *file->pMethods;
      found->methods.xSync = slow_sync;
    }
    if (found->plain == file->pMethods) {
      file->pMethods = &found->methods;
      return code;
    }
  }
  return code;
}

void slow_disk_use(int microseconds) {
  sqlite3_initialize();
  if (!base) {
    base = sqlite3_vfs_find(0);
    slow = *base;
    slow.zName = "slow";
    slow.pNext = 0;
    slow.xOpen = slow_open;
    sqlite3_vfs_register(&slow, 0);
  }
  if (microseconds) delay = microseconds;
  sqlite3_vfs_register(microseconds ? &slow : base, 1);
}

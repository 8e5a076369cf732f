#include "CFaultyDisk.h"

#include <pthread.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "Platter.h"

enum { KINDS = 8, FILES = 3 };

struct faulty_disk {
  sqlite3_vfs vfs;
  sqlite3_vfs *below;
  char *name;
  pthread_mutex_t lock;
  // Guarded by the lock.
  platter platter;
  int64_t counts[KINDS][FILES];
  int64_t failures;
  int failing_kinds, failing_files, failing_code;
  int64_t failing_from, failing_times;
  int system_error;
  int64_t power_left, life_left;
  int is_off;
  int ignored_syncs;
  int held_syncs;
  int64_t waiting_syncs;
  int open_files;
  int is_given_up;
  uint64_t seed;
};

typedef struct {
  sqlite3_file base;
  faulty_disk *disk;
  platter_file *file;
  int files;
  int syncs_folder;
  sqlite3_file *below;
} disk_file;

// MARK: Faults

static int bit(int mask) {
  int index = 0;
  while (!(mask & (1 << index))) index++;
  return index;
}

// Counts an operation and gives the code it fails with, or SQLITE_OK. The disk is locked.
static int reach(faulty_disk *disk, int kind, int files) {
  if (disk->is_off) return SQLITE_IOERR;
  disk->counts[bit(kind)][bit(files)]++;
  if (kind & FAULTY_CHANGE) {
    if (disk->life_left > 0 && --disk->life_left == 0) kill(getpid(), SIGKILL);
    if (disk->power_left > 0 && --disk->power_left == 0) {
      disk->is_off = 1;
      return SQLITE_IOERR;
    }
  }
  if (!(kind & disk->failing_kinds) || !(files & disk->failing_files)) return SQLITE_OK;
  if (disk->failing_from > 1) {
    disk->failing_from--;
    return SQLITE_OK;
  }
  if (disk->failing_times <= 0) return SQLITE_OK;
  disk->failing_times--;
  disk->failures++;
  return disk->failing_code;
}

static int passes(faulty_disk *disk, int kind, int files) {
  pthread_mutex_lock(&disk->lock);
  int code = reach(disk, kind, files);
  pthread_mutex_unlock(&disk->lock);
  return code;
}

// MARK: Files

#define BELOW(file) (((disk_file *)(file))->below)
#define PASS(file, method, ...) \
  BELOW(file)->pMethods->method(BELOW(file), __VA_ARGS__)

static void disk_free(faulty_disk *disk) {
  platter_free(&disk->platter);
  pthread_mutex_destroy(&disk->lock);
  free(disk->name);
  free(disk);
}

static int disk_close(sqlite3_file *file) {
  faulty_disk *disk = ((disk_file *)file)->disk;
  int code = BELOW(file)->pMethods->xClose(BELOW(file));
  pthread_mutex_lock(&disk->lock);
  // The last file that a connection closes is the database itself; nothing is asked of the disk after that.
  int is_last = --disk->open_files == 0 && disk->is_given_up;
  pthread_mutex_unlock(&disk->lock);
  if (is_last) disk_free(disk);
  return code;
}

static int disk_read(sqlite3_file *file, void *bytes, int size, sqlite3_int64 offset) {
  disk_file *own = (disk_file *)file;
  int code = passes(own->disk, FAULTY_READ, own->files);
  return code ? code : PASS(file, xRead, bytes, size, offset);
}

static int disk_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 offset) {
  disk_file *own = (disk_file *)file;
  faulty_disk *disk = own->disk;
  pthread_mutex_lock(&disk->lock);
  int was_off = disk->is_off;
  int code = reach(disk, FAULTY_WRITE, own->files);
  int written = code ? (was_off ? 0 : size / 2) : size;
  if (own->file && written) platter_add_change(own->file, offset, written, bytes);
  int passed = written ? PASS(file, xWrite, bytes, written, offset) : SQLITE_OK;
  pthread_mutex_unlock(&disk->lock);
  return code ? code : passed;
}

static int disk_truncate(sqlite3_file *file, sqlite3_int64 size) {
  disk_file *own = (disk_file *)file;
  faulty_disk *disk = own->disk;
  pthread_mutex_lock(&disk->lock);
  int code = reach(disk, FAULTY_TRUNCATE, own->files);
  if (code == SQLITE_OK) {
    if (own->file) platter_add_change(own->file, 0, size, NULL);
    code = PASS(file, xTruncate, size);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int disk_sync(sqlite3_file *file, int flags) {
  (void)flags;
  disk_file *own = (disk_file *)file;
  faulty_disk *disk = own->disk;
  pthread_mutex_lock(&disk->lock);
  disk->waiting_syncs++;
  while ((disk->held_syncs & own->files) && !disk->is_off) {
    pthread_mutex_unlock(&disk->lock);
    // Held by a test, which has no other way into SQLite's thread than this lock.
    usleep(100);
    pthread_mutex_lock(&disk->lock);
  }
  disk->waiting_syncs--;
  int code = reach(disk, FAULTY_SYNC, own->files);
  // Nothing is synced below: the platter says what would last, and so a test is quick.
  if (code && !disk->is_off) {
    if (own->file) platter_sync_in_vain(own->file, &disk->seed);
  } else if (code == SQLITE_OK && !(disk->ignored_syncs & own->files)) {
    if (own->file) platter_sync(own->file);
    if (own->syncs_folder) platter_sync_names(&disk->platter);
    own->syncs_folder = 0;
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int disk_size(sqlite3_file *file, sqlite3_int64 *size) {
  disk_file *own = (disk_file *)file;
  int code = passes(own->disk, FAULTY_SIZE, own->files);
  return code ? code : PASS(file, xFileSize, size);
}

static int disk_lock(sqlite3_file *file, int level) { return PASS(file, xLock, level); }
static int disk_unlock(sqlite3_file *file, int level) { return PASS(file, xUnlock, level); }

static int disk_reserved(sqlite3_file *file, int *result) {
  return PASS(file, xCheckReservedLock, result);
}

static int disk_control(sqlite3_file *file, int request, void *value) {
  faulty_disk *disk = ((disk_file *)file)->disk;
  if (request == SQLITE_FCNTL_LAST_ERRNO) {
    pthread_mutex_lock(&disk->lock);
    int error = disk->system_error;
    pthread_mutex_unlock(&disk->lock);
    if (error) {
      *(int *)value = error;
      return SQLITE_OK;
    }
  }
  return PASS(file, xFileControl, request, value);
}

static int disk_sector(sqlite3_file *file) {
  return BELOW(file)->pMethods->xSectorSize(BELOW(file));
}

static int disk_traits(sqlite3_file *file) {
  return BELOW(file)->pMethods->xDeviceCharacteristics(BELOW(file));
}

static int disk_map(sqlite3_file *file, int page, int size, int extends, void volatile **memory) {
  disk_file *own = (disk_file *)file;
  int code = passes(own->disk, FAULTY_SHARED, own->files);
  return code ? code : PASS(file, xShmMap, page, size, extends, memory);
}

static int disk_lock_shared(sqlite3_file *file, int offset, int count, int flags) {
  return PASS(file, xShmLock, offset, count, flags);
}

static void disk_barrier(sqlite3_file *file) {
  BELOW(file)->pMethods->xShmBarrier(BELOW(file));
}

static int disk_unmap(sqlite3_file *file, int deletes) { return PASS(file, xShmUnmap, deletes); }

// Version 2: with shared memory, without mapped pages.
static const sqlite3_io_methods methods = {
  2, disk_close, disk_read, disk_write, disk_truncate, disk_sync, disk_size, disk_lock,
  disk_unlock, disk_reserved, disk_control, disk_sector, disk_traits, disk_map,
  disk_lock_shared, disk_barrier, disk_unmap, NULL, NULL,
};

// MARK: The folder

static faulty_disk *disk_of(sqlite3_vfs *vfs) { return vfs->pAppData; }

// Reads a file that was there before, as if it had been synced.
static void take_in(platter_file *file, sqlite3_file *below) {
  sqlite3_int64 size = 0;
  if (below->pMethods->xFileSize(below, &size) != SQLITE_OK || size == 0) return;
  file->synced.bytes = malloc((size_t)size);
  file->synced.size = size;
  below->pMethods->xRead(below, file->synced.bytes, (int)size, 0);
}

static int disk_open(
  sqlite3_vfs *vfs, sqlite3_filename path, sqlite3_file *file, int flags, int *found) {
  faulty_disk *disk = disk_of(vfs);
  disk_file *own = (disk_file *)file;
  memset(own, 0, sizeof *own);
  own->disk = disk;
  own->below = (sqlite3_file *)(own + 1);
  own->files = flags & SQLITE_OPEN_MAIN_DB ? FAULTY_MAIN
    : flags & SQLITE_OPEN_WAL              ? FAULTY_LOG
                                           : FAULTY_OTHER;
  pthread_mutex_lock(&disk->lock);
  int code = reach(disk, FAULTY_OPEN, own->files);
  int is_there = 0;
  if (code == SQLITE_OK) {
    if (path) disk->below->xAccess(disk->below, path, SQLITE_ACCESS_EXISTS, &is_there);
    code = disk->below->xOpen(disk->below, path, own->below, flags, found);
  }
  if (code == SQLITE_OK && path) {
    platter_name *name = platter_find(&disk->platter, path);
    if (!name->current) {
      name->current = platter_add_file(&disk->platter);
      if (is_there) {
        name->synced = name->current;
        take_in(name->current, own->below);
      }
    }
    own->file = name->current;
    // As the default VFS does: the first sync of a new log or journal is one of its folder, too.
    own->syncs_folder = !is_there && !(flags & SQLITE_OPEN_MAIN_DB);
  }
  if (code == SQLITE_OK) {
    own->base.pMethods = &methods;
    disk->open_files++;
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int syncs_folder) {
  faulty_disk *disk = disk_of(vfs);
  pthread_mutex_lock(&disk->lock);
  size_t length = strlen(path);
  int is_log = length > 4 && strcmp(path + length - 4, "-wal") == 0;
  int code = reach(disk, FAULTY_DELETE, is_log ? FAULTY_LOG : FAULTY_OTHER);
  if (code == SQLITE_OK) code = disk->below->xDelete(disk->below, path, 0);
  if (code == SQLITE_OK) {
    platter_find(&disk->platter, path)->current = NULL;
    if (syncs_folder) platter_sync_names(&disk->platter);
  }
  pthread_mutex_unlock(&disk->lock);
  return code;
}

static int disk_access(sqlite3_vfs *vfs, const char *path, int flags, int *result) {
  return disk_of(vfs)->below->xAccess(disk_of(vfs)->below, path, flags, result);
}

static int disk_path(sqlite3_vfs *vfs, const char *path, int size, char *result) {
  return disk_of(vfs)->below->xFullPathname(disk_of(vfs)->below, path, size, result);
}

static int disk_randomness(sqlite3_vfs *vfs, int size, char *bytes) {
  return disk_of(vfs)->below->xRandomness(disk_of(vfs)->below, size, bytes);
}

static int disk_sleep(sqlite3_vfs *vfs, int microseconds) {
  return disk_of(vfs)->below->xSleep(disk_of(vfs)->below, microseconds);
}

static int disk_time(sqlite3_vfs *vfs, double *days) {
  return disk_of(vfs)->below->xCurrentTime(disk_of(vfs)->below, days);
}

static int disk_error(sqlite3_vfs *vfs, int size, char *text) {
  faulty_disk *disk = disk_of(vfs);
  pthread_mutex_lock(&disk->lock);
  int error = disk->system_error;
  pthread_mutex_unlock(&disk->lock);
  if (error) return error;
  return disk_of(vfs)->below->xGetLastError(disk_of(vfs)->below, size, text);
}

// MARK: Control

faulty_disk *faulty_disk_create(const char *name) {
  faulty_disk *disk = calloc(1, sizeof *disk);
  disk->below = sqlite3_vfs_find(NULL);
  disk->name = strdup(name);
  pthread_mutex_init(&disk->lock, NULL);
  disk->vfs = (sqlite3_vfs){
    .iVersion = 1,
    .szOsFile = (int)sizeof(disk_file) + disk->below->szOsFile,
    .mxPathname = disk->below->mxPathname,
    .zName = disk->name,
    .pAppData = disk,
    .xOpen = disk_open,
    .xDelete = disk_delete,
    .xAccess = disk_access,
    .xFullPathname = disk_path,
    .xRandomness = disk_randomness,
    .xSleep = disk_sleep,
    .xCurrentTime = disk_time,
    .xGetLastError = disk_error,
  };
  sqlite3_vfs_register(&disk->vfs, 0);
  return disk;
}

void faulty_disk_destroy(faulty_disk *disk) {
  sqlite3_vfs_unregister(&disk->vfs);
  pthread_mutex_lock(&disk->lock);
  disk->is_given_up = 1;
  int is_unused = disk->open_files == 0;
  pthread_mutex_unlock(&disk->lock);
  // A store that another thread lets go of may be open still.
  if (is_unused) disk_free(disk);
}

int64_t faulty_disk_count(faulty_disk *disk, int kinds, int files) {
  int64_t count = 0;
  pthread_mutex_lock(&disk->lock);
  for (int kind = 0; kind < KINDS; kind++) {
    for (int file = 0; file < FILES; file++) {
      if (kinds & (1 << kind) && files & (1 << file)) count += disk->counts[kind][file];
    }
  }
  pthread_mutex_unlock(&disk->lock);
  return count;
}

void faulty_disk_fail(
  faulty_disk *disk, int kinds, int files, int64_t number, int64_t times, int code) {
  pthread_mutex_lock(&disk->lock);
  disk->failing_kinds = kinds;
  disk->failing_files = files;
  disk->failing_from = number;
  disk->failing_times = times;
  disk->failing_code = code;
  disk->failures = 0;
  disk->seed = (uint64_t)number;
  pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_set_system_error(faulty_disk *disk, int error) {
  pthread_mutex_lock(&disk->lock);
  disk->system_error = error;
  pthread_mutex_unlock(&disk->lock);
}

int64_t faulty_disk_failures(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int64_t failures = disk->failures;
  pthread_mutex_unlock(&disk->lock);
  return failures;
}

void faulty_disk_lose_power(faulty_disk *disk, int64_t number) {
  pthread_mutex_lock(&disk->lock);
  disk->power_left = number;
  pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_kill(faulty_disk *disk, int64_t number) {
  pthread_mutex_lock(&disk->lock);
  disk->life_left = number;
  pthread_mutex_unlock(&disk->lock);
}

int faulty_disk_is_off(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int is_off = disk->is_off;
  pthread_mutex_unlock(&disk->lock);
  return is_off;
}

void faulty_disk_ignore_syncs(faulty_disk *disk, int files) {
  pthread_mutex_lock(&disk->lock);
  disk->ignored_syncs = files;
  pthread_mutex_unlock(&disk->lock);
}

void faulty_disk_hold_syncs(faulty_disk *disk, int files) {
  pthread_mutex_lock(&disk->lock);
  disk->held_syncs = files;
  pthread_mutex_unlock(&disk->lock);
}

int64_t faulty_disk_waiting_syncs(faulty_disk *disk) {
  pthread_mutex_lock(&disk->lock);
  int64_t count = disk->waiting_syncs;
  pthread_mutex_unlock(&disk->lock);
  return count;
}

int faulty_disk_save(faulty_disk *disk, const char *folder, uint64_t seed) {
  pthread_mutex_lock(&disk->lock);
  int saved = platter_save(&disk->platter, folder, seed);
  pthread_mutex_unlock(&disk->lock);
  return saved;
}

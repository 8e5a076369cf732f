#ifndef SIGNALBOX_FAULTS_H
#define SIGNALBOX_FAULTS_H

// What the operating system says of files, in a form that is the same on all.

#include <errno.h>
#include <sqlite3.h>
#include <stdint.h>
#include <sys/stat.h>
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

// Swift doesn't see macros that are more than a number.
static const int signalbox_ioerr_write = SQLITE_IOERR_WRITE;
static const int signalbox_ioerr_fsync = SQLITE_IOERR_FSYNC;
static const int signalbox_ioerr_dir_fsync = SQLITE_IOERR_DIR_FSYNC;
static const int signalbox_readonly_dbmoved = SQLITE_READONLY_DBMOVED;

typedef struct {
  uint64_t device;
  uint64_t inode;
} signalbox_file_identity;

// Which file a path names now; not 0 if there is none, or nobody can say.
static inline int signalbox_identify(const char *path, signalbox_file_identity *identity) {
#if defined(_WIN32)
  // There nobody deletes a file that is open.
  (void)path;
  (void)identity;
  return -1;
#else
  struct stat status;
  if (stat(path, &status) != 0) return errno;
  identity->device = (uint64_t)status.st_dev;
  identity->inode = (uint64_t)status.st_ino;
  return 0;
#endif
}

#if !defined(_WIN32)
// Whether a path names anything, a link that leads nowhere included.
static inline int signalbox_exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}
#endif

// Whether a path still names this file.
static inline int signalbox_is_same(const char *path, signalbox_file_identity identity) {
  signalbox_file_identity found;
  if (signalbox_identify(path, &found) != 0) return 0;
  return found.device == identity.device && found.inode == identity.inode;
}

// Puts what a file has on the disk; not 0, but the system's number, if that fails.
static inline int signalbox_sync(const char *path) {
#if defined(_WIN32)
  (void)path;
  return 0;
#else
  int descriptor = open(path, O_RDONLY);
  if (descriptor < 0) return errno;
#if defined(F_FULLFSYNC)
  // There a plain sync doesn't reach the disk itself; not every file system has this one.
  int failed = fcntl(descriptor, F_FULLFSYNC) != 0 && fsync(descriptor) != 0;
#else
  int failed = fsync(descriptor) != 0;
#endif
  int error = failed ? errno : 0;
  close(descriptor);
  return error;
#endif
}

// The system's number for the last write or sync of the log that failed, or 0. SQLite keeps it with the
// file, and reports none for a COMMIT.
static inline int signalbox_log_error(sqlite3 *handle) {
  sqlite3_file *log = 0;
  int error = 0;
  if (sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) != SQLITE_OK) return 0;
  if (!log || !log->pMethods) return 0;
  log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &error);
  return error;
}

static inline int signalbox_is_out_of_room(int error) {
#if defined(EDQUOT)
  if (error == EDQUOT) return 1;
#endif
  return error == ENOSPC;
}

static inline int signalbox_is_too_large(int error) { return error == EFBIG; }
static inline int signalbox_is_out_of_files(int error) { return error == EMFILE || error == ENFILE; }

#endif

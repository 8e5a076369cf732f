#ifndef SIGNALBOX_FAULTS_H
#define SIGNALBOX_FAULTS_H

// What the operating system says of files, in a form that is the same on all.

#include <errno.h>
#include <stdint.h>
#include <sys/stat.h>
#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif
#if defined(__linux__)
#include <sys/statfs.h>
#endif

// Swift doesn't see macros that are more than a number.
static const int signalbox_ioerr_write = SQLITE_IOERR_WRITE;
static const int signalbox_ioerr_fsync = SQLITE_IOERR_FSYNC;
static const int signalbox_ioerr_dir_fsync = SQLITE_IOERR_DIR_FSYNC;
static const int signalbox_readonly_dbmoved = SQLITE_READONLY_DBMOVED;
static const int signalbox_readonly_recovery = SQLITE_READONLY_RECOVERY;
static const int signalbox_readonly_cantinit = SQLITE_READONLY_CANTINIT;
static const int signalbox_readonly_rollback = SQLITE_READONLY_ROLLBACK;

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

// How many bytes of a file count that has this size and this many blocks. Of a hole, which needs no room on the disk, a
// sixteenth counts at most; where the file system compresses, the file may have as many times what it needs there. If
// the file system is late with the number of blocks, all bytes count.
static inline int64_t signalbox_room(int64_t size, int64_t blocks, int isLate) {
  int64_t room = blocks * 512 * 16;
  return room < size && !isLate ? room : size;
}

#if !defined(_WIN32)
// Whether the file system of a file counts its blocks only seconds after they were written. ZFS does so when a group of
// transactions is on the disk, and a sync doesn't wait for that. Apple lets an app ask only for reasons that it lists, and
// this isn't one of them; its own file systems count at once.
static inline int signalbox_counts_late(const char *path) {
#if defined(__linux__)
  struct statfs found;
  return statfs(path, &found) == 0 && (uint64_t)found.f_type == 0x2fc12fc1;
#else
  (void)path;
  return 0;
#endif
}
#endif

// How many bytes of a file count, or 0 if there is none. The file system is asked for its kind only if blocks lack.
static inline int64_t signalbox_bytes(const char *path) {
#if defined(_WIN32)
  // The size in the other structure has 32 bits.
  struct _stat64 status;
  if (_stat64(path, &status) != 0) return 0;
  return (int64_t)status.st_size;
#else
  struct stat status;
  if (stat(path, &status) != 0) return 0;
  int64_t size = (int64_t)status.st_size;
  int64_t blocks = (int64_t)status.st_blocks;
  int64_t room = signalbox_room(size, blocks, 0);
  return room < size ? signalbox_room(size, blocks, signalbox_counts_late(path)) : room;
#endif
}

#if !defined(_WIN32)
// Whether a path names anything, a link that leads nowhere included.
static inline int signalbox_exists(const char *path) {
  struct stat status;
  return lstat(path, &status) == 0;
}
#endif

// Whether the system's number says that a path names nothing.
static inline int signalbox_is_gone(int error) { return error == ENOENT || error == ENOTDIR; }

// Whether a path still names this file.
static inline int signalbox_is_same(const char *path, signalbox_file_identity identity) {
  signalbox_file_identity found;
  if (signalbox_identify(path, &found) != 0) return 0;
  return found.device == identity.device && found.inode == identity.inode;
}

// Makes an empty file that wasn't there and that only those may read and write who may read and write another one;
// not 0, but the system's number, if that fails. Its owner is the process's. Its group is the other's where the process
// may say so; where it may not, the group that it has may do nothing, and all others no more than the other's group.
// Its owner may write to it in any case, since SQLite opens it by its name; signalbox_finish_like is called then.
static inline int signalbox_create_like(const char *path, const char *source) {
#if defined(_WIN32)
  (void)path;
  (void)source;
  return 0;
#else
  struct stat status;
  if (stat(source, &status) != 0) return errno;
  int descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (descriptor < 0) return errno;
  struct stat made;
  int error = fstat(descriptor, &made) != 0 ? errno : 0;
  mode_t rights = status.st_mode & 0777;
  if (!error && made.st_gid != status.st_gid && fchown(descriptor, (uid_t)-1, status.st_gid) != 0) {
    rights = (rights & 0700) | (rights & (rights >> 3) & 07);
  }
  // Whatever the process takes away from new files.
  if (!error && fchmod(descriptor, rights | 0200) != 0) error = errno;
  close(descriptor);
  return error;
#endif
}

// Keeps the owner of a file that was made like another one from writing to it, if the other's may not; not 0, but the
// system's number, if that fails. If the other isn't there any more, nothing changes.
static inline int signalbox_finish_like(const char *path, const char *source) {
#if defined(_WIN32)
  (void)path;
  (void)source;
  return 0;
#else
  struct stat status;
  if (stat(source, &status) != 0 || (status.st_mode & 0200)) return 0;
  struct stat made;
  if (stat(path, &made) != 0 || chmod(path, made.st_mode & 0577) != 0) return errno;
  return 0;
#endif
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

// Whether the system keeps everybody from a file at the moment, as while a device is locked. Rights that a file lacks are
// EACCES when it is opened. Of a file that is open, that number can't mean them.
static inline int signalbox_is_protected(int error, int isOpen) {
#if defined(__APPLE__)
  if (error == EACCES && isOpen) return 1;
#else
  (void)isOpen;
#endif
  return error == EPERM;
}

static inline int signalbox_is_too_large(int error) { return error == EFBIG; }
static inline int signalbox_is_out_of_files(int error) { return error == EMFILE || error == ENFILE; }

#endif

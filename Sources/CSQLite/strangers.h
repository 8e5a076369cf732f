#ifndef SIGNALBOX_STRANGERS_H
#define SIGNALBOX_STRANGERS_H

// What a file from elsewhere may bring along.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static inline int sb_allow_object(
    void *context, int action, const char *first, const char *second, const char *database,
    const char *source) {
  (void)context, (void)second, (void)database, (void)source;
  switch (action) {
    case SQLITE_CREATE_INDEX:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_REINDEX:
    case SQLITE_READ:
    case SQLITE_SELECT:
    case SQLITE_FUNCTION: return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
      return first && (!strcmp(first, "sqlite_master") || !strcmp(first, "sqlite_schema"))
        ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
  }
}

/// Lets a connection prepare nothing but statements that make an index or a trigger, or anything again.
static inline void sb_sqlite_confine(sqlite3 *connection, int isConfined) {
  sqlite3_set_authorizer(connection, isConfined ? sb_allow_object : 0, 0);
}

/// Whether something stands at a path that isn't a file, such as a pipe or a device; where `follows` is 0, a link
/// is none either.
static inline int sb_is_no_file(const char *path, int follows) {
#if defined(_WIN32)
  (void)path, (void)follows;
  return 0;
#else
  struct stat status;
  if ((follows ? stat(path, &status) : lstat(path, &status)) != 0) return 0;
  return !S_ISREG(status.st_mode);
#endif
}

#if !defined(_WIN32)
/// The path without links, or 0 if there is no such file.
static inline char *signalbox_real_path(const char *path) { return realpath(path, 0); }
static inline void signalbox_free_path(char *path) { free(path); }
#endif

/// Whether a journal names another file, which SQLite would read, and delete, when it plays the journal back.
static inline int sb_names_other_file(const char *journal) {
  static const unsigned char magic[8] = {0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7};
  unsigned char end[8];
  FILE *file = fopen(journal, "rb");
  if (!file) return 0;
  // A journal begins with the same bytes; one of no more than a sector names none.
  int isNamed = fseek(file, -8, SEEK_END) == 0 && ftell(file) > 0 && fread(end, 1, 8, file) == 8
    && memcmp(end, magic, 8) == 0;
  fclose(file);
  return isNamed;
}

/// Reads the first 16 bytes of a connection's file as they are; 0 if it has fewer.
///
/// The file must not be opened for that: to close it would release all locks of the process on it.
static inline int sb_read_start(sqlite3 *connection, unsigned char *start) {
  sqlite3_file *file = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) != SQLITE_OK) return 0;
  return file && file->pMethods && file->pMethods->xRead(file, start, 16, 0) == SQLITE_OK;
}

/// Returns 1 if a connection's file begins like a database that isn't encrypted.
static inline int sb_is_plain(sqlite3 *connection) {
  unsigned char start[16];
  return sb_read_start(connection, start) && memcmp(start, "SQLite format 3", 16) == 0;
}

/// Reads the first 16 bytes that the first page has in a log, which has no locks; 0 if it isn't there.
static inline int sb_read_salt(const char *log, unsigned char *salt) {
  unsigned char head[32], frame[24];
  FILE *file = fopen(log, "rb");
  if (!file) return 0;
  int isFound = 0;
  if (fread(head, 1, sizeof head, file) == sizeof head) {
    long size = (long)head[8] << 24 | (long)head[9] << 16 | (long)head[10] << 8 | (long)head[11];
    while (size >= 512 && size <= 65536 && fread(frame, 1, sizeof frame, file) == sizeof frame) {
      // A frame of an earlier round of the log has other salts.
      if (memcmp(frame + 8, head + 16, 8) != 0) break;
      if (!frame[0] && !frame[1] && !frame[2] && frame[3] == 1) {
        isFound = fread(salt, 1, 16, file) == 16;
        break;
      }
      if (fseek(file, size, SEEK_CUR) != 0) break;
    }
  }
  fclose(file);
  return isFound;
}

#endif

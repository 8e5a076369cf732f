#ifndef C_FAULTY_DISK_H
#define C_FAULTY_DISK_H

#include <stdint.h>

// A disk under SQLite that loses power and fails on command.
//
// It is a VFS over the default one: files are written where their names say, and are read from there.
// Beside that it remembers, per file, what has been synced and each write since. When the power goes,
// every further operation fails, and what was not synced is kept, dropped or torn at sectors of 512
// bytes, in any order; a file whose folder was not synced may be gone, or be there again.
typedef struct faulty_disk faulty_disk;

// The operations that can fail.
enum {
  FAULTY_OPEN = 1,
  FAULTY_READ = 2,
  FAULTY_WRITE = 4,
  FAULTY_TRUNCATE = 8,
  FAULTY_SYNC = 16,
  FAULTY_DELETE = 32,
  FAULTY_SHARED = 64,  // the memory that connections share
  FAULTY_SIZE = 128,
  FAULTY_EVERY = 255,
  FAULTY_CHANGE = FAULTY_WRITE | FAULTY_TRUNCATE | FAULTY_SYNC | FAULTY_DELETE
};

// The files that it tells apart.
enum {
  FAULTY_MAIN = 1,
  FAULTY_LOG = 2,
  FAULTY_OTHER = 4,
  FAULTY_ANY = 7
};

// A disk, registered with SQLite under a name.
faulty_disk *faulty_disk_create(const char *name);

// Frees it. No connection uses it any more.
void faulty_disk_destroy(faulty_disk *disk);

// How many operations of these kinds on these files there have been.
int64_t faulty_disk_count(faulty_disk *disk, int kinds, int files);

// From the number-th operation of these kinds on these files, counted from now, `times` of them fail
// with a result code of SQLite. A write that fails has written half. A sync that fails has let go of
// what it should have written: later ones don't write it either.
void faulty_disk_fail(
  faulty_disk *disk, int kinds, int files, int64_t number, int64_t times, int code);

// From now on the system's number for the last failure is this one, or the real one if it is 0.
void faulty_disk_set_system_error(faulty_disk *disk, int error);

// How many have failed so.
int64_t faulty_disk_failures(faulty_disk *disk);

// The power goes at the number-th change from now.
void faulty_disk_lose_power(faulty_disk *disk, int64_t number);

// The process is killed at the number-th change from now.
void faulty_disk_kill(faulty_disk *disk, int64_t number);

// Whether the power has gone.
int faulty_disk_is_off(faulty_disk *disk);

// From now on syncs of these files say that they did, and do nothing.
void faulty_disk_ignore_syncs(faulty_disk *disk, int files);

// From now on syncs of these files wait until they are held no more.
void faulty_disk_hold_syncs(faulty_disk *disk, int files);

// How many syncs are being held.
int64_t faulty_disk_waiting_syncs(faulty_disk *disk);

// Writes what the disk may hold after the power has gone into a folder, and says whether it could.
// Each seed is another outcome.
int faulty_disk_save(faulty_disk *disk, const char *folder, uint64_t seed);

#endif

#ifndef PLATTER_H
#define PLATTER_H

#include <stddef.h>
#include <stdint.h>

// What would be left of the files of a disk if the power went now.

// A write or, without bytes, the setting of a file's size.
typedef struct {
  int64_t offset;
  int64_t size;
  unsigned char *bytes;
} platter_change;

typedef struct {
  unsigned char *bytes;
  int64_t size;
} platter_bytes;

// A file's bytes. They outlive its name.
typedef struct platter_file {
  platter_bytes synced;
  platter_change *changes;
  size_t count, capacity;
  struct platter_file *next;
} platter_file;

// A name in a folder.
typedef struct platter_name {
  char *path;
  // What it names after a sync of the folder, and what programs see; null for nothing.
  platter_file *synced, *current;
  struct platter_name *next;
} platter_name;

typedef struct {
  platter_name *names;
  platter_file *files;
} platter;

platter_name *platter_find(platter *platter, const char *path);
platter_file *platter_add_file(platter *platter);
void platter_add_change(platter_file *file, int64_t offset, int64_t size, const void *bytes);
// Makes the changes of a file last.
void platter_sync(platter_file *file);
// Makes each change last, or never.
void platter_sync_in_vain(platter_file *file, uint64_t *seed);
// Makes the names last.
void platter_sync_names(platter *platter);
int platter_save(platter *platter, const char *folder, uint64_t seed);
void platter_free(platter *platter);
uint64_t platter_random(uint64_t *seed);

#endif

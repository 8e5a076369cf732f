#include "Platter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SECTOR = 512 };

uint64_t platter_random(uint64_t *seed) {
  *seed += 0x9E3779B97F4A7C15u;
  uint64_t mixed = *seed;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBu;
  return mixed ^ (mixed >> 31);
}

platter_name *platter_find(platter *platter, const char *path) {
  for (platter_name *name = platter->names; name; name = name->next) {
    if (strcmp(name->path, path) == 0) return name;
  }
  platter_name *name = calloc(1, sizeof *name);
  name->path = strdup(path);
  name->next = platter->names;
  platter->names = name;
  return name;
}

platter_file *platter_add_file(platter *platter) {
  platter_file *file = calloc(1, sizeof *file);
  file->next = platter->files;
  platter->files = file;
  return file;
}

void platter_add_change(platter_file *file, int64_t offset, int64_t size, const void *bytes) {
  if (file->count == file->capacity) {
    file->capacity = file->capacity ? 2 * file->capacity : 64;
    file->changes = realloc(file->changes, file->capacity * sizeof *file->changes);
  }
  platter_change change = {offset, size, NULL};
  if (bytes) {
    change.bytes = malloc((size_t)size + 1);
    memcpy(change.bytes, bytes, (size_t)size);
  }
  file->changes[file->count++] = change;
}

static void resize(platter_bytes *bytes, int64_t size) {
  if (size > bytes->size) {
    bytes->bytes = realloc(bytes->bytes, (size_t)size);
    memset(bytes->bytes + bytes->size, 0, (size_t)(size - bytes->size));
  }
  bytes->size = size;
}

static void copy(platter_bytes *bytes, int64_t offset, const unsigned char *from, int64_t size) {
  if (offset + size > bytes->size) resize(bytes, offset + size);
  memcpy(bytes->bytes + offset, from, (size_t)size);
}

static void apply(platter_bytes *bytes, const platter_change *change) {
  if (change->bytes) {
    copy(bytes, change->offset, change->bytes, change->size);
  } else {
    resize(bytes, change->size);
  }
}

// Some of the sectors of a write; one that didn't get there may be left as noise.
static void tear(platter_bytes *bytes, const platter_change *change, uint64_t *seed) {
  int64_t done = 0;
  while (done < change->size) {
    int64_t place = change->offset + done;
    int64_t size = SECTOR - place % SECTOR;
    if (size > change->size - done) size = change->size - done;
    if (platter_random(seed) % 2) {
      copy(bytes, place, change->bytes + done, size);
    } else if (platter_random(seed) % 8 == 0) {
      unsigned char noise[SECTOR];
      for (int64_t index = 0; index < size; index++) noise[index] = platter_random(seed) & 0xFF;
      copy(bytes, place, noise, size);
    }
    done += size;
  }
}

static void forget(platter_file *file) {
  for (size_t index = 0; index < file->count; index++) free(file->changes[index].bytes);
  file->count = 0;
}

void platter_sync(platter_file *file) {
  for (size_t index = 0; index < file->count; index++) apply(&file->synced, &file->changes[index]);
  forget(file);
}

void platter_sync_in_vain(platter_file *file, uint64_t *seed) {
  for (size_t index = 0; index < file->count; index++) {
    if (platter_random(seed) % 2) apply(&file->synced, &file->changes[index]);
  }
  forget(file);
}

void platter_sync_names(platter *platter) {
  for (platter_name *name = platter->names; name; name = name->next) name->synced = name->current;
}

// What is left of a file.
static platter_bytes remains(const platter_file *file, uint64_t *seed) {
  platter_bytes bytes = {malloc((size_t)file->synced.size + 1), file->synced.size};
  if (file->synced.size) memcpy(bytes.bytes, file->synced.bytes, (size_t)file->synced.size);
  size_t *order = malloc((file->count + 1) * sizeof *order);
  for (size_t index = 0; index < file->count; index++) order[index] = index;
  // Sometimes a clean cut in order, as from a disk with a queue; mostly any order.
  uint64_t way = platter_random(seed) % 4;
  size_t end = way == 0 && file->count ? platter_random(seed) % (file->count + 1) : file->count;
  for (size_t index = end; way != 0 && index > 1; index--) {
    size_t other = platter_random(seed) % index, kept = order[other];
    order[other] = order[index - 1];
    order[index - 1] = kept;
  }
  for (size_t index = 0; index < end; index++) {
    const platter_change *change = &file->changes[order[index]];
    uint64_t fate = way == 0 && index + 1 < end ? 0 : platter_random(seed) % 4;
    if (fate <= 1) {
      apply(&bytes, change);
    } else if (fate == 2 && change->bytes) {
      tear(&bytes, change, seed);
    }
  }
  free(order);
  return bytes;
}

int platter_save(platter *platter, const char *folder, uint64_t seed) {
  for (platter_name *name = platter->names; name; name = name->next) {
    platter_file *file = platter_random(&seed) % 2 ? name->synced : name->current;
    if (!file) continue;
    const char *slash = strrchr(name->path, '/');
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : name->path);
    FILE *output = fopen(path, "wb");
    if (!output) return 0;
    platter_bytes bytes = remains(file, &seed);
    size_t written = fwrite(bytes.bytes, 1, (size_t)bytes.size, output);
    free(bytes.bytes);
    if (fclose(output) != 0 || written != (size_t)bytes.size) return 0;
  }
  return 1;
}

void platter_free(platter *platter) {
  while (platter->files) {
    platter_file *file = platter->files;
    platter->files = file->next;
    forget(file);
    free(file->changes);
    free(file->synced.bytes);
    free(file);
  }
  while (platter->names) {
    platter_name *name = platter->names;
    platter->names = name->next;
    free(name->path);
    free(name);
  }
}

// A search in bytes. It is C so that it is fast in a debug build, too, where the same loop in Swift
// takes a hundred times as long. It also has the logarithm, for which Swift would import each
// system's own library.
#ifndef SIGNALBOX_CTEXT_H
#define SIGNALBOX_CTEXT_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { sb_text_prefix, sb_text_suffix, sb_text_infix, sb_text_whole };

/// Returns 1 if all bytes are ASCII.
static inline int sb_text_is_ascii(const uint8_t *text, size_t count) {
  size_t place = 0;
  for (; place + 8 <= count; place += 8) {
    uint64_t word;
    memcpy(&word, text + place, 8);
    if (word & 0x8080808080808080u) return 0;
  }
  for (; place < count; place++) {
    if (text[place] & 0x80) return 0;
  }
  return 1;
}

static inline uint8_t sb_text_lowercase(uint8_t byte) {
  return (uint8_t)(byte - 'A') < 26 ? byte | 0x20 : byte;
}

/// Returns 1 if a text begins with `part`.
///
/// If `ignores_case`, the case of ASCII letters in the text is ignored.
static inline int sb_text_begins(
    const uint8_t *text, const uint8_t *part, size_t count, int ignores_case) {
  if (!ignores_case) return memcmp(text, part, count) == 0;
  for (size_t place = 0; place < count; place++) {
    if (sb_text_lowercase(text[place]) != part[place]) return 0;
  }
  return 1;
}

/// Returns 1 if `part` occurs in a text, as a prefix, a suffix, anywhere, or as the whole.
///
/// If `ignores_case`, the letters of ASCII in `part` are lowercase.
static inline int sb_text_holds(
    int test, const uint8_t *text, size_t count, const uint8_t *part, size_t length,
    int ignores_case) {
  if (length > count) return 0;
  // Pointers of empty texts may be null.
  if (length == 0) return test != sb_text_whole || count == 0;
  switch (test) {
    case sb_text_prefix: return sb_text_begins(text, part, length, ignores_case);
    case sb_text_suffix:
      return sb_text_begins(text + (count - length), part, length, ignores_case);
    case sb_text_whole: return length == count && sb_text_begins(text, part, length, ignores_case);
    default: break;
  }
  const uint8_t first = part[0];
  for (size_t place = 0; place + length <= count; place++) {
    uint8_t byte = ignores_case ? sb_text_lowercase(text[place]) : text[place];
    if (byte == first && sb_text_begins(text + place, part, length, ignores_case)) return 1;
  }
  return 0;
}

static inline double sb_natural_log(double number) { return log(number); }

#endif

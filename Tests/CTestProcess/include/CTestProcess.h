// What a test process does before its tests begin, and what ends with it.
#ifndef SIGNALBOX_CTESTPROCESS_H
#define SIGNALBOX_CTESTPROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/// Has a child killed when this process ends, also when it traps or is killed.
void test_process_guard(pid_t child);

/// Says that a child has ended, so that its number may be another's.
void test_process_release(pid_t child);

/// Whether the thread sanitizer looks at this process.
bool test_process_looks_for_races(void);

/// Whether a sanitizer looks at this process, which takes memory and time of its own.
bool test_process_is_sanitized(void);

/// Opens both ends of a new terminal: one that types and reads the screen, and the one of a program.
bool test_process_open_terminal(int *typing, int *program);

#endif

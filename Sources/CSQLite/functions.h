#ifndef SIGNALBOX_FUNCTIONS_H
#define SIGNALBOX_FUNCTIONS_H

// The modules of all three libraries have these functions; each includes its own sqlite3.h first.

#include <stdint.h>
#include <string.h>
#if !defined(_WIN32)
#include <dlfcn.h>
#endif

#include "faults.h"
#include "strangers.h"

// Swift can't call a function with a variable number of arguments.

/// Has a connection take what stands in a file for data: nothing in it is run, and no other file is reached.
///
/// - Returns: a result code.
static inline int sb_sqlite_distrust(sqlite3 *connection) {
  static const int settings[][2] = {
    // The file's own tables can't be damaged by SQL, such as through writable_schema.
    {SQLITE_DBCONFIG_DEFENSIVE, 1},
    {SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0},
    // What a view, a trigger, an index or a rule says can't call functions with effects, nor virtual tables.
    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    // Triggers log what other tools write; a store logs its own commits.
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
    // A name that isn't a column's is no text.
    {SQLITE_DBCONFIG_DQS_DML, 0},
    {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_ENABLE_FTS3_TOKENIZER, 0},
  };
  for (unsigned i = 0; i < sizeof settings / sizeof settings[0]; i++) {
    int code = sqlite3_db_config(connection, settings[i][0], settings[i][1], (int *)0);
    if (code != SQLITE_OK) return code;
  }
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  // Statements of ours are far shorter, and triggers don't run.
  sqlite3_limit(connection, SQLITE_LIMIT_SQL_LENGTH, 16 << 20);
  sqlite3_limit(connection, SQLITE_LIMIT_TRIGGER_DEPTH, 1);
  sqlite3_limit(connection, SQLITE_LIMIT_WORKER_THREADS, 0);
  return SQLITE_OK;
}

/// Returns 1 if a setting is on; it is named by one of the SQLITE_DBCONFIG numbers.
static inline int sb_sqlite_setting(sqlite3 *connection, int setting) {
  int isOn = -1;
  sqlite3_db_config(connection, setting, -1, &isOn);
  return isOn;
}

/// Lets a connection read views or not.
static inline void sb_sqlite_set_views(sqlite3 *connection, int isOn) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, isOn, (int *)0);
}

/// Lets what makes tables and indexes have texts in double quotes or not.
static inline void sb_sqlite_set_quoted_texts(sqlite3 *connection, int isOn) {
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DQS_DDL, isOn, (int *)0);
}

/// Has a connection leave the log as it is when it closes.
static inline int sb_sqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/// Has OpenSSL keep its data when the program exits, if it is what encrypts.
///
/// It would free the data while other threads still write or read, and these would crash. To have an effect, this must be
/// the program's first call of OpenSSL.
static inline void sb_keep_crypto(void) {
#if !defined(_WIN32)
  void *program = dlopen((const char *)0, RTLD_LAZY);
  if (!program) return;
  int (*begin)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(program, "OPENSSL_init_crypto");
  if (begin) begin(0x00080000, (void *)0);  // OPENSSL_INIT_NO_ATEXIT
  dlclose(program);
#endif
}

#endif

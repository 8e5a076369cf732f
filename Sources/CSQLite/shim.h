#include <sqlite3.h>

#include "faults.h"

// Swift can't call a function with a variable number of arguments.

/// Switches the triggers of a connection off.
static inline int sb_sqlite_disable_triggers(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, (int *)0);
}

/// Has a connection leave the log as it is when it closes.
static inline int sb_sqlite_keep_log(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#if !__has_include(<sqlite3.h>)
#error "SQLite's header isn't there: install libsqlite3-dev (Debian, Ubuntu) or sqlite-devel (Fedora), or use the trait VendoredSQLite"
#endif
#include <sqlite3.h>

#include "functions.h"

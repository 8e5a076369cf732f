// Its header has the name of SQLite's, in a folder of its own.
#define SQLITE_HAS_CODEC 1
#if !__has_include(<sqlcipher/sqlite3.h>)
#error "SQLCipher's header isn't there: install libsqlcipher-dev (Debian, Ubuntu), or say where it is by -Xcc -I, or use the traits SQLCipher and VendoredSQLite"
#endif
#include <sqlcipher/sqlite3.h>
#if SQLITE_VERSION_NUMBER < 3037000
#error "This SQLCipher is too old: version 4.5.1 or later is needed. Without a newer package, use the traits SQLCipher and VendoredSQLite"
#endif

#include "../CSQLite/functions.h"

// What pkg-config says of sqlcipher leads to its header, which has the name of SQLite's.
#define SQLITE_HAS_CODEC 1
#if !__has_include(<sqlite3.h>)
#error "SQLCipher's header isn't there: install libsqlcipher-dev (Debian, Ubuntu) or sqlcipher (Homebrew), or use the traits SQLCipher and VendoredSQLite"
#endif
#include <sqlite3.h>
#if SQLITE_VERSION_NUMBER < 3037000
#error "This SQLCipher is too old: version 4.5 or later is needed. Without a newer package, use the traits SQLCipher and VendoredSQLite"
#endif

#include "../CSQLite/functions.h"

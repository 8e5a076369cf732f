// Without the trait VendoredSQLite this is nothing.
#if defined(SIGNALBOX_VENDORED_SQLITE)

// A connection is used by one thread at a time.
#define SQLITE_THREADSAFE 2
#define SQLITE_ENABLE_FTS5 1
#define SQLITE_DQS 0
#define SQLITE_OMIT_SHARED_CACHE 1
#define SQLITE_OMIT_LOAD_EXTENSION 1
#define SQLITE_USE_ALLOCA 1
#define SQLITE_DEFAULT_WAL_SYNCHRONOUS 1
#define HAVE_USLEEP 1
#if defined(SIGNALBOX_SQLCIPHER)
#define SQLITE_HAS_CODEC 1
// SQLCipher 4.7 and later want to be begun and ended.
#define SQLITE_EXTRA_INIT signalbox_begin_sqlcipher
#define SQLITE_EXTRA_SHUTDOWN signalbox_end_sqlcipher
// What doesn't fit into memory would be written as it is.
#define SQLITE_TEMP_STORE 3
#if defined(__APPLE__)
#define SQLCIPHER_CRYPTO_CC 1
#elif !defined(SQLCIPHER_CRYPTO_LIBTOMCRYPT) && !defined(SQLCIPHER_CRYPTO_NSS)
#define SQLCIPHER_CRYPTO_OPENSSL 1
#endif
#endif

#if !__has_include("sqlite3.c")
#error "SQLite's amalgamation isn't there: build with -Xcc -I and the folder that has sqlite3.c and sqlite3.h"
#endif
#include "sqlite3.c"

#if defined(SIGNALBOX_SQLCIPHER)
int signalbox_begin_sqlcipher(const char *unused) {
#if SQLITE_VERSION_NUMBER >= 3049000
  return sqlcipher_extra_init(unused);
#else
  (void)unused;
  return SQLITE_OK;
#endif
}

void signalbox_end_sqlcipher(void) {
#if SQLITE_VERSION_NUMBER >= 3049000
  sqlcipher_extra_shutdown();
#endif
}
#endif

#endif

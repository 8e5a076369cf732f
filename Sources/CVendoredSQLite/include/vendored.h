// The build finds sqlite3.h through -Xcc -I, which names the folder of the amalgamation.
#define SQLITE_HAS_CODEC 1
#if !__has_include("sqlite3.h")
#error "SQLite's amalgamation isn't there: build with -Xcc -I and the folder that has sqlite3.c and sqlite3.h"
#endif
#include "sqlite3.h"

#include "../../CSQLite/functions.h"

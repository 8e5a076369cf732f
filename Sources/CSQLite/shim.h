#include <sqlite3.h>

#include "faults.h"

// The one library that has SQLite's functions; the layers above import it under this name.

#if VendoredSQLite
@_exported public import CVendoredSQLite
#elseif SQLCipher
@_exported public import CSQLCipher
#else
@_exported public import CSQLite
#endif

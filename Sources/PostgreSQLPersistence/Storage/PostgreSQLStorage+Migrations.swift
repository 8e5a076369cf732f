#if PostgreSQL
@_spi(Storage) package import EntityStore

extension PostgreSQLStorage: MigratedStorage {
  package var recordedMigrations: [Migration] { migrations }
}
#endif

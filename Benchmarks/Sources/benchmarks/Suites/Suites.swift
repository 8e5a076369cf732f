/// The suites that the command knows, in the order it runs them.
let suites: [BenchmarkSuite] = suitesOfAll + suitesOfServer + suitesOfEncryption

private let suitesOfAll: [BenchmarkSuite] = [
  .relays, .stateRelays, .hops, .relaysMemory, .listDiffing, .listDiffingMemory,
  .entityStore, .entityStoreReading, .entityStoreVersions, .fetchedObjects,
  .fetchedObjectsScenes, .fetchedObjectsReading, .fetchedObjectsAggregates, .indexedObjects,
  .observedEntities, .search, .time, .feeds, .hostileData,
  .sqlitePersistence, .groupCommit, .sqlitePersistenceReading, .otherWriters, .imports,
]

#if PostgreSQL
private let suitesOfServer: [BenchmarkSuite] = [
  .postgreSQLPersistence, .postgreSQLPersistenceReading,
]
#else
private let suitesOfServer: [BenchmarkSuite] = []
#endif

#if SQLCipher
private let suitesOfEncryption: [BenchmarkSuite] = [.sqlCipher]
#else
private let suitesOfEncryption: [BenchmarkSuite] = []
#endif

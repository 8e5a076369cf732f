@_spi(Storage) internal import EntityStore
internal import Locking
@_spi(Storage) internal import SQLMapping

// A storage with the access `.readOnly` has no writing connection. Each of its connections is
// opened as `Connection+Opening` describes.
extension SQLiteStorage {
  /// Checks that the file fits the schemas, and returns its version.
  func openReadOnly(_ entities: [EntityDescription]) throws -> Int64 {
    for entity in entities { SQLiteLayout.checkNames(of: entity) }
    let expectation = SchemaWatch.Expectation(entities, migrations)
    // The WAL and the shared memory come and go with the app.
    let place = FileIdentity(path: path, isAlone: true)
    let (version, mark) = try file.waiting {
      let connection = try StoreConnection(file, .readOnly)
      connection.activity = .reading
      try connection.openWAL()
      do {
        try SQLiteLayout.checkOwner(connection)
        return try check(connection, expectation)
      } catch StoreError.storage(let fault) where fault.kind == .schemaMismatch {
        throw StoreError.storage(mismatch(fault))
      }
    }
    if let fault = place?.fault(.opening) { throw StoreError.storage(fault) }
    idle.withLock { idle in
      idle.entities = Set(entities)
      idle.place = place
      idle.expectation = expectation
      idle.firstMark = mark
    }
    return version
  }

  /// Returns the file's version and its mark, if the tables fit.
  private func check(
    _ connection: StoreConnection, _ expectation: SchemaWatch.Expectation
  ) throws -> (Int64, StorageMark) {
    try connection.begin()
    defer { try? connection.execute("ROLLBACK") }
    guard try connection.hasTable("signalbox_metadata") else {
      throw mismatch("it has no tables yet")
    }
    let (known, run) = (expectation.migrations, try SchemaRecord(connection).migrations)
    if let name = first(of: known.subtracting(run)) {
      throw mismatch("the migration \"\(name)\" hasn't run yet")
    }
    if let name = first(of: run.subtracting(known)) {
      throw StoreError.fault(
        .newer,
        "\(path): the app has run the migration \"\(name)\", which the list of this program lacks; "
          + "give a program that only reads the app's list, too, or update it",
        path: path)
    }
    let watch = try SchemaWatch(connection, expectation)
    try watch.check()
    let version = try connection.control.version()
    let token = try connection.control.token(of: version) ?? 0
    return (version, StorageMark(token: token, layout: watch.layout))
  }

  /// Returns the first of some names in the order of their bytes, or nil if there is none.
  private func first(of names: Set<ExactText>) -> String? {
    names.map(\.text).min { TextBytes.compare($0, $1) < 0 }
  }

  private func mismatch(_ sentence: String) -> StoreError {
    .fault(.schemaMismatch, sentence, path: path)
  }

  /// Returns the fault of a file that would have to be migrated.
  private func mismatch(_ fault: StorageFault) -> StorageFault {
    StorageFault(
      .schemaMismatch,
      "\(path): its tables don't fit the schemas, and a store that only reads changes none; open the app first, "
        + "in the same version as this program", path: path, operation: fault.operation,
      code: fault.code, extendedCode: fault.extendedCode, detail: fault.message)
  }

  func checkIsWritable(_ activity: ConnectionActivity) throws {
    guard file.isReadOnly else { return }
    throw StoreError.fault(
      .readOnly,
      "\(path): the store was opened to read only; open it with access: .readWrite to change anything",
      path: path, operation: "\(activity)")
  }
}

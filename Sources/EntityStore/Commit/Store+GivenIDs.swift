internal import Locking

extension Store {
  /// Returns true if a commit was given ids and the storage keeps them.
  private func areKept(
    _ given: [EntityDescription: Int64], _ transaction: any StorageTransaction
  ) throws -> Bool {
    guard let entity = given.keys.first else { return false }
    do {
      return try transaction.lastID(of: entity) != nil
    } catch {
      transaction.rollBack()
      throw error
    }
  }

  /// Ends a commit that has changed nothing, and keeps the ids that it was given.
  ///
  /// In a storage that keeps ids they make a version, which isn't published.
  func keep(
    _ given: [EntityDescription: Int64], _ transaction: any StorageTransaction
  ) throws {
    guard try areKept(given, transaction) else {
      transaction.rollBack()
      noteIDs(given, NetChanges())
      return
    }
    try apply(NetChanges(), given, to: transaction)
    let mark = try markOrRollBack(transaction)
    try publishing.withLock {
      try seal(transaction)
      (lastVersion, lastMark) = (transaction.version, mark)
    }
  }
}

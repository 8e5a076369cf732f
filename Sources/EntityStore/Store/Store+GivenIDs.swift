internal import Locking

extension Store {
  /// Whether the storage keeps the ids that a commit was given, if any.
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
  /// In a storage that keeps them they are a version, of which nobody is told.
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
    try publishing.withLock { _ in
      try seal(transaction)
      (lastVersion, lastMark) = (transaction.version, mark)
    }
  }
}

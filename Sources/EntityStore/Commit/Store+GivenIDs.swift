internal import Locking

extension Store {
  /// Ends a commit that has changed nothing, and keeps the ids that it was given.
  ///
  /// In a storage that keeps ids they make a version, which isn't published.
  func endUnchanged(
    keeping given: [EntityDescription: Int64], in transaction: any StorageTransaction
  ) throws {
    guard let entity = given.keys.first,
      try transaction.rollingBack({ try transaction.lastID(of: entity) }) != nil
    else {
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

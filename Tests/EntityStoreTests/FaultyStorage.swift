import EntityStore
import Locking

/// A storage whose next commit fails where it is told to.
final class FaultyStorage: Storage {
  enum Step: Sendable {
    case begin
    case apply
    case commit
  }

  struct Fault: Error, Equatable {}

  let storage: any Storage
  private let planned = Locked<(step: Step, error: any Error & Sendable)?>(nil)

  init(_ storage: any Storage) { self.storage = storage }

  func fail(at step: Step, with error: any Error & Sendable = Fault()) {
    planned.withLock { $0 = (step, error) }
  }

  fileprivate func reach(_ step: Step) throws {
    let error = planned.withLock { planned -> (any Error & Sendable)? in
      guard let (failing, error) = planned, failing == step else { return nil }
      planned = nil
      return error
    }
    if let error { throw error }
  }

  func open(_ entities: [EntityDescription]) throws -> Int64 { try storage.open(entities) }

  func begin() throws -> any StorageTransaction {
    try reach(.begin)
    return FaultyTransaction(try storage.begin(), self)
  }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try storage.read(body)
  }
}

final class FaultyTransaction: StorageTransaction {
  private let transaction: any StorageTransaction
  private let storage: FaultyStorage

  init(_ transaction: any StorageTransaction, _ storage: FaultyStorage) {
    self.transaction = transaction
    self.storage = storage
  }

  var version: Int64 { transaction.version }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    try transaction.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    try transaction.ids(of: entity, where: columns, equal: values)
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] { try transaction.fetch(plan) }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    try transaction.count(entity, where: filter)
  }

  func apply(_ changes: NetChanges) throws {
    try transaction.apply(changes)
    try storage.reach(.apply)
  }

  func commit() throws {
    do {
      try storage.reach(.commit)
    } catch {
      transaction.rollBack()
      throw error
    }
    try transaction.commit()
  }

  func rollBack() { transaction.rollBack() }
}

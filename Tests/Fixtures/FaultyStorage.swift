@_spi(Storage) package import EntityStore
import Locking

/// A storage whose next commit fails where it is told to.
package final class FaultyStorage: Storage {
  package enum Step: Sendable {
    case begin
    case apply
    case commit
  }

  package struct Fault: Error, Equatable {
    package init() {}
  }

  private let storage: any Storage
  private let planned = Locked<(step: Step, error: any Error & Sendable)?>(nil)

  package init(_ storage: any Storage) { self.storage = storage }

  package func fail(at step: Step, with error: any Error & Sendable = Fault()) {
    planned.withLock { $0 = (step, error) }
  }

  private func reach(_ step: Step) throws {
    let error = planned.withLock { planned -> (any Error & Sendable)? in
      guard let (failing, error) = planned, failing == step else { return nil }
      planned = nil
      return error
    }
    if let error { throw error }
  }

  package func open(_ entities: [EntityDescription]) throws -> Int64 { try storage.open(entities) }

  package func begin() throws -> any StorageTransaction {
    try reach(.begin)
    return Transaction(try storage.begin(), self)
  }

  package func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try storage.read(body)
  }

  private final class Transaction: ForwardingTransaction {
    let storage: FaultyStorage

    init(_ base: any StorageTransaction, _ storage: FaultyStorage) {
      self.storage = storage
      super.init(base)
    }

    override func apply(_ changes: NetChanges) throws {
      try super.apply(changes)
      try storage.reach(.apply)
    }

    override func commit() throws {
      do {
        try storage.reach(.commit)
      } catch {
        rollBack()
        throw error
      }
      try super.commit()
    }
  }
}

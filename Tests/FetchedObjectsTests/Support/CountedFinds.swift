@_spi(Storage) import EntityStore
import Fixtures
import TestSupport

/// Memory that counts the objects, and the ids, that queries of commits find.
///
/// Objects that are read by their ids aren't counted.
final class CountedFinds: Storage {
  private let memory = InMemoryStorage()
  let found = Counter()

  func open(_ entities: [EntityDescription]) throws -> Int64 { try memory.open(entities) }

  func begin() throws -> any StorageTransaction {
    let transaction = ForwardingTransaction(try memory.begin())
    transaction.didFind = { [found] in found.add($0) }
    return transaction
  }

  func read<Result>(_ body: (any StorageReader) throws -> Result) throws -> Result {
    try memory.read(body)
  }
}

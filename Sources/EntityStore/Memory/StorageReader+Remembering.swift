extension StorageReader {
  /// Returns a reader for evaluating expressions of many objects, or nil if they share nothing that
  /// costs much.
  package func remembering(_ reads: SharedReads) -> SharedReader? {
    let isInMemory = self is MemoryReader
    return switch reads {
    case .nothing: nil
    case .objects: isInMemory ? nil : SharedReader(over: self, isInMemory: false)
    case .values: SharedReader(over: self, isInMemory: isInMemory)
    }
  }

  /// Calls `body` with each item, and with the reader that evaluates expressions of its object.
  ///
  /// A storage far away is asked for what the expressions read of other objects part by part.
  package func evaluate<Item>(
    _ expressions: [QueryExpression], sharing reads: SharedReads, for items: [Item],
    of object: (Item) -> EntityRow?, _ body: (Item, any StorageReader) throws -> Void
  ) throws {
    if items.isEmpty { return }
    let memo = remembering(reads)
    for part in SharedReader.parts(of: items) {
      try memo?.readAhead(expressions, of: part.compactMap(object))
      for item in part { try body(item, memo ?? self) }
    }
  }
}

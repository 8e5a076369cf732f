extension StorageReader {
  /// Returns a reader for evaluating expressions of many objects, or nil if they share nothing that
  /// costs much.
  package func remembering(_ reads: SharedReads) -> MemoReader? {
    let isInMemory = self is MemoryReader
    return switch reads {
    case .nothing: nil
    case .objects: isInMemory ? nil : MemoReader(over: self, isInMemory: false)
    case .values: MemoReader(over: self, isInMemory: isInMemory)
    }
  }
}

internal import ListDiffing

/// The names of the encoded parts of a batch.
private enum BatchKey: String, CodingKey, CaseIterable {
  case inserts, updates, deletes, moves, sectionChanges, filterValue
}

extension CacheTransactionBatch: Encodable where Output: Encodable {
  /// Encodes the transactions of each kind, the section changes if there are any, and the tag.
  ///
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: BatchKey.self)
    try container.encode(insertTransactions, forKey: .inserts)
    try container.encode(updateTransactions, forKey: .updates)
    try container.encode(deleteTransactions, forKey: .deletes)
    try container.encode(moveTransactions, forKey: .moves)
    if !sectionChanges.isEmpty {
      try container.encode(sectionChanges, forKey: .sectionChanges)
    }
    try container.encodeIfPresent(filterValue, forKey: .filterValue)
  }
}

extension CacheTransactionBatch: Decodable where Output: Decodable {
  /// Decodes a batch.
  ///
  /// A missing part is empty.
  ///
  /// - Throws: A `DecodingError`. These also throw: a transaction in the array of another kind, two
  ///   with the same change, an unknown part, and rows in the section changes.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseKeys(besides: BatchKey.self)
    let container = try decoder.container(keyedBy: BatchKey.self)
    let sectionChanges =
      try container.decodeIfPresent(ListChanges.self, forKey: .sectionChanges) ?? ListChanges()
    self.init(
      sectionChanges: sectionChanges,
      filterValue: try container.decodeIfPresent(String.self, forKey: .filterValue))
    // Rows are transactions. Ignoring rows here would change the meaning.
    guard self.sectionChanges == sectionChanges else {
      throw DecodingError.dataCorruptedError(
        forKey: .sectionChanges, in: container,
        debugDescription:
          "There are rows among the section changes; rows are inserts, updates, deletes and moves of the batch"
      )
    }
    let kinds: [(BatchKey, ChangeKind)] = [
      (.inserts, .insert), (.updates, .update), (.deletes, .delete), (.moves, .move),
    ]
    for (key, kind) in kinds {
      let transactions = try container.decodeIfPresent([CacheTransaction<Output>].self, forKey: key)
      for transaction in transactions ?? [] {
        guard transaction.changeType == kind else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription:
              "There is a transaction of kind \(transaction.changeType) among the \(key.stringValue)"
          )
        }
        let before = count
        add(transaction)
        guard count > before else {
          throw DecodingError.dataCorruptedError(
            forKey: key, in: container,
            debugDescription: "Two of the \(key.stringValue) have the same change")
        }
      }
    }
  }
}

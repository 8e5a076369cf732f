internal import ListDiffing

extension CacheTransactionBatch {
  /// Returns the batch of the same list inside a host that shows something before it.
  ///
  ///     let shown = batch.offset(sections: 2)  // the posts are the host's section 2
  ///
  /// - Parameters:
  ///   - sections: The number of sections of the host before the first section of the list.
  ///   - rows: The number of rows of the host before the first row of the list, in each of the
  ///     list's sections. If it isn't 0 and sections change, give the batch itself to an
  ///     ``/ListDiffing/EmbeddedListHost``.
  /// - Returns: The batch at the host's positions, with the same objects in the same order.
  /// - Precondition: `sections` and `rows` aren't negative.
  /// - Complexity: O(*k*), where *k* is the number of transactions.
  public func offset(sections: Int = 0, rows: Int = 0) -> CacheTransactionBatch {
    var result = CacheTransactionBatch(
      sectionChanges: sectionChanges.offset(sections: sections, rows: rows),
      filterValue: filterValue)
    for transaction in transactions {
      result.add(
        CacheTransaction(
          object: transaction.object, objectType: transaction.objectType,
          change: transaction.change.offset(sections: sections, rows: rows)))
    }
    return result
  }
}

extension Query {
  /// Returns how the query is answered.
  ///
  /// A part is done by the storage's own language, which is SQL for a file. The rest is done here,
  /// for the rows that the storage selects.
  ///
  ///     print(try query.plan(in: store))
  ///
  /// Nothing is fetched.
  ///
  /// - Throws: ``StoreError`` if the file can't be read.
  @_spi(Inspection)
  public func plan(in store: borrowing some StoreReading & ~Copyable) throws -> QueryPlan {
    try store.withStorageReader {
      try $0.explain(store.pinned(FetchPlan(description), for: $0))
    }
  }
}

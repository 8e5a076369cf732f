extension Query {
  /// How the query is answered: which part the storage's own language does, SQL for a file, and which is
  /// done here, over the rows that the rest selects.
  ///
  ///     print(try query.plan(in: store))
  ///
  /// Nothing is fetched.
  ///
  /// - Throws: ``StoreError`` if the file can't be read.
  public func plan(in store: borrowing some StoreReading & ~Copyable) throws -> QueryPlan {
    try store.withStorageReader { try $0.explain(FetchPlan(description)) }
  }
}

public import EntityStore

/// The complete description of what a cache tracker follows.
///
///     let request = CacheRequest(
///       Car.self, predicate: { $0.year > 1990 }, orderings: { [$0.model.ascending] },
///       filterValue: "recent")
///
/// A request is a value: the tracker follows the request that it was set up with. Without sections in its
/// query the list is flat, section 0.
public struct CacheRequest<E: Entity>: Hashable, Sendable {
  /// Which objects, in which order and sections: what the request asks of a store.
  public let query: Query<E>

  /// A tag that every batch brings back; it means nothing to the tracker.
  public let filterValue: String?

  /// Creates a request from a query, which may also have sections and included paths.
  public init(query: Query<E>, filterValue: String? = nil) {
    self.query = query
    self.filterValue = filterValue
  }

  /// Creates a request from its parts.
  ///
  /// - Parameters:
  ///   - entity: What is followed.
  ///   - predicate: The conditions, one a line.
  ///   - orderings: The keys of the order; objects with equal ones are ordered by id.
  ///   - filterValue: The tag.
  public init(
    _ entity: E.Type = E.self,
    @ConditionBuilder<E> predicate: (Row<E, E>) -> Condition<E>,
    orderings: (Row<E, E>) -> [Ordering<E>] = { _ in [] }, filterValue: String? = nil
  ) {
    self.init(
      query: Query<E>().filter(predicate).sorted(orderings), filterValue: filterValue)
  }

  /// Creates a request for all objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: What is followed.
  ///   - orderings: The keys of the order; objects with equal ones are ordered by id.
  ///   - filterValue: The tag.
  public init(
    _ entity: E.Type = E.self, orderings: (Row<E, E>) -> [Ordering<E>] = { _ in [] },
    filterValue: String? = nil
  ) {
    self.init(query: Query<E>().sorted(orderings), filterValue: filterValue)
  }

  /// The condition, as data, or nil for all objects.
  public var predicate: QueryExpression? { query.description.filter }

  /// The keys of the order, as data; their order matters.
  public var orderings: [SortKey] { query.description.orderings }

  /// What is followed.
  public var entity: E.Type { E.self }

  /// The name of the entity, which every transaction carries; never empty.
  public var objectType: String { E.entityName }
}

@_spi(Storage) public import EntityStore

/// A complete description of the list that a cache tracker follows.
///
///     let request = CacheRequest(
///       Car.self, predicate: { $0.year > 1990 }, orderings: { [$0.model.ascending] },
///       filterValue: "recent")
///
/// A request is a value. The tracker follows the request that it was set up with. If the query has
/// no sections, the list is flat: it is section 0.
public struct CacheRequest<E: Entity>: Hashable, Sendable {
  /// The query: the objects, their order and their sections.
  public let query: Query<E>

  /// A tag that every batch of this request carries.
  ///
  /// The tracker doesn't interpret it.
  public let filterValue: String?

  /// Creates a request from a query, which may also have sections and included paths.
  public init(query: Query<E>, filterValue: String? = nil) {
    self.query = query
    self.filterValue = filterValue
  }

  /// Creates a request from its parts.
  ///
  /// - Parameters:
  ///   - entity: The entity to follow.
  ///   - predicate: The conditions, one per line.
  ///   - orderings: The keys of the order. Objects with equal keys are ordered by id.
  ///   - filterValue: The tag.
  public init(
    _ entity: E.Type = E.self,
    @Condition<E>.Builder predicate: (Row<E, E>) -> Condition<E>,
    orderings: (Row<E, E>) -> [Ordering<E>] = { _ in [] }, filterValue: String? = nil
  ) {
    self.init(
      query: Query<E>().filter(predicate).sorted(orderings), filterValue: filterValue)
  }

  /// Creates a request for all objects of an entity.
  ///
  /// - Parameters:
  ///   - entity: The entity to follow.
  ///   - orderings: The keys of the order. Objects with equal keys are ordered by id.
  ///   - filterValue: The tag.
  public init(
    _ entity: E.Type = E.self, orderings: (Row<E, E>) -> [Ordering<E>] = { _ in [] },
    filterValue: String? = nil
  ) {
    self.init(query: Query<E>().sorted(orderings), filterValue: filterValue)
  }

  /// The condition, as data, or nil for all objects.
  @_spi(Storage) public var predicate: QueryExpression? { query.description.filter }

  /// The keys of the order, as data.
  ///
  /// Their order matters.
  @_spi(Storage) public var orderings: [SortKey] { query.description.orderings }

  /// The entity to follow.
  public var entity: E.Type { E.self }

  /// The name of the entity, which every transaction carries.
  ///
  /// It is never empty.
  public var objectType: String { E.entityName }
}

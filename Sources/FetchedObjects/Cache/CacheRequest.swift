public import EntityStore

/// The complete description of what a cache tracker follows.
///
///     let request = CacheRequest(query: Query<Car>().sorted { [$0.model.ascending] }, filterValue: "")
public struct CacheRequest<E: Entity>: Sendable {
  /// Which objects, in which order and sections: the predicate and the sort descriptors.
  public let query: Query<E>
  /// A tag that every batch brings back; it means nothing to the tracker.
  public let filterValue: String?

  /// A request.
  public init(query: Query<E>, filterValue: String? = nil) {
    self.query = query
    self.filterValue = filterValue
  }

  /// The name of the entity, which every transaction carries.
  public var objectType: String { E.entityName }
}

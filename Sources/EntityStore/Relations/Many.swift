/// The objects that refer to an owner: the other side of a to-one reference.
///
///     extension Person {
///       var cars: Many<Person, Car> { Many(\.owner) }
///     }
///
/// It stores nothing. It is made of a to-one attribute, which names it as its `inverse`. Queries
/// step through it: `.filter { $0.cars.count > 1 }`. `store.fetch(\.cars, of: Ref(ann))` returns
/// the objects, in the order that the relationship states:
///
///     var tracks: Many<Album, Track> { Many(\.album) { [$0.position.ascending] } }
public struct Many<Owner: Entity, Target: Entity>: @unchecked Sendable {
  // @unchecked: a key path to a stored property captures nothing.
  let path: AnyKeyPath
  let order: [SortKey]

  /// Creates the relationship to the objects whose optional reference at `path` names the owner.
  ///
  /// - Parameters:
  ///   - path: the reference.
  ///   - order: the order of the objects. Objects with equal keys are ordered by id, and so are all
  ///     objects if there is no order.
  public init(
    _ path: KeyPath<Target, Ref<Owner>?>,
    order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] }
  ) {
    self.path = path
    self.order = order(Row(steps: [])).map(\.key)
  }

  /// Creates the relationship to the objects whose reference at `path` names the owner.
  ///
  /// - Parameters:
  ///   - path: the reference.
  ///   - order: the order of the objects. Objects with equal keys are ordered by id, and so are all
  ///     objects if there is no order.
  public init(
    _ path: KeyPath<Target, Ref<Owner>>,
    order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] }
  ) {
    self.path = path
    self.order = order(Row(steps: [])).map(\.key)
  }
}

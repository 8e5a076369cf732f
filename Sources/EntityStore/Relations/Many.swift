/// The objects that refer to an owner: the other side of a to-one reference.
///
///     extension Person {
///       var cars: Many<Person, Car> { Many(\.owner) }
///     }
///
/// It stores nothing. The to-one attribute that it is made of names it as its `inverse`, and queries step through
/// it: `.filter { $0.cars.count > 1 }`. `store.fetch(\.cars, of: Ref(ann))` gives the objects, in the
/// order that the relationship names:
///
///     var tracks: Many<Album, Track> { Many(\.album) { [$0.position.ascending] } }
public struct Many<Owner: Entity, Target: Entity>: @unchecked Sendable {
  // @unchecked: a key path to a stored property captures nothing.
  let path: AnyKeyPath
  let order: [SortKey]

  /// The objects whose optional reference at `path` names the owner.
  ///
  /// - Parameters:
  ///   - path: the reference.
  ///   - order: the order of the objects; equal ones, and all without an order, are ordered by id.
  public init(
    _ path: KeyPath<Target, Ref<Owner>?>,
    order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] }
  ) {
    self.path = path
    self.order = order(Row(steps: [])).map(\.key)
  }

  /// The objects whose reference at `path` names the owner.
  ///
  /// - Parameters:
  ///   - path: the reference.
  ///   - order: the order of the objects; equal ones, and all without an order, are ordered by id.
  public init(
    _ path: KeyPath<Target, Ref<Owner>>,
    order: (Row<Target, Target>) -> [Ordering<Target>] = { _ in [] }
  ) {
    self.path = path
    self.order = order(Row(steps: [])).map(\.key)
  }
}

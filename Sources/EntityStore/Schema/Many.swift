/// The objects that refer to an owner: the other side of a to-one reference.
///
///     extension Person {
///       var cars: Many<Person, Car> { Many(\.owner) }
///     }
///
/// It stores nothing. The to-one attribute names it as its `inverse`, and queries step through it:
/// `.filter { $0.cars.count > 1 }`.
public struct Many<Owner: Entity, Target: Entity>: @unchecked Sendable {
  // @unchecked: a key path to a stored property captures nothing.
  let path: AnyKeyPath

  /// The objects whose optional reference at `path` names the owner.
  public init(_ path: KeyPath<Target, Ref<Owner>?>) { self.path = path }

  /// The objects whose reference at `path` names the owner.
  public init(_ path: KeyPath<Target, Ref<Owner>>) { self.path = path }
}

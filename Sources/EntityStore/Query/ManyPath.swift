/// A path to the objects that refer to the one at the end of some steps.
///
///     $0.cars.count  // the path Person[Car.owner], without a step
@_spi(Storage) public struct ManyPath: Hashable, Sendable {
  /// The entity at which the path starts.
  public let root: EntityDescription
  /// The steps to the owner; none for the object itself.
  public let steps: [ReferenceStep]
  /// The entity of the objects that refer to the owner.
  public let target: EntityDescription
  /// The position of their reference among their columns.
  public let column: Int

  /// The path from the owner itself.
  package var ofOwner: ManyPath {
    ManyPath(root: steps.last?.target ?? root, steps: [], target: target, column: column)
  }
}

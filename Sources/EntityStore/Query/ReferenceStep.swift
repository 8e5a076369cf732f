internal import Locking

/// A step from an object to the one that it refers to.
///
///     $0.owner.name  // one step, by the reference Car.owner
@_spi(Storage) public struct ReferenceStep: Hashable, Sendable {
  /// The entity that refers.
  public let source: EntityDescription
  /// The position of the reference among the entity's columns.
  public let column: Int

  /// The entity of the object that the reference names.
  public var target: EntityDescription {
    guard let reference = source.columns[column].reference else {
      mistake("\(source.name).\(source.columns[column].name) is no reference")
    }
    return reference.target
  }
}

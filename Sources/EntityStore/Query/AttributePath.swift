/// A path to an attribute, perhaps through references.
///
///     $0.owner.name  // the path Car.owner.name, with one step
@_spi(Storage) public struct AttributePath: Hashable, Sendable {
  /// The entity at which the path starts.
  public let root: EntityDescription
  /// The steps through references; none for an attribute of the object itself.
  public let steps: [ReferenceStep]
  /// The position of the attribute among the columns of the last entity.
  public let column: Int
  /// The position of the part, if the path leads to one part of a composite id.
  public let part: Int?

  package init(root: EntityDescription, steps: [ReferenceStep], column: Int, part: Int? = nil) {
    self.root = root
    self.steps = steps
    self.column = column
    self.part = part
  }

  /// The entity that has the attribute.
  public var target: EntityDescription { steps.last?.target ?? root }

  /// True if the attribute is a `Bool`, optional or not, which is stored as 0 or 1.
  package var isTruth: Bool {
    let type = target.decoders[column].type
    return part == nil && (type == Bool.self || type == Bool?.self)
  }
}

@_spi(Storage) extension AttributePath: CustomStringConvertible {
  /// The path as text, such as `Car.owner.name`.
  public var description: String {
    let column = target.columns[column]
    return
      ([root.name] + steps.map { $0.source.columns[$0.column].name } + [column.name]
      + (part.map { [column.parts[$0].name] } ?? []))
      .joined(separator: ".")
  }
}

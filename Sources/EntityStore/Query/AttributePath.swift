/// An attribute at the end of some steps through references.
public struct AttributePath: Hashable, Sendable {
  /// The entity the path starts at.
  public let root: EntityDescription
  /// The steps, none for the object's own attributes.
  public let steps: [ReferenceStep]
  /// The position of the attribute among the columns of the last entity.
  public let column: Int
  /// The position of a part, where only that of a composite id is meant.
  public let part: Int?

  package init(root: EntityDescription, steps: [ReferenceStep], column: Int, part: Int? = nil) {
    self.root = root
    self.steps = steps
    self.column = column
    self.part = part
  }

  /// The entity that has the attribute.
  public var target: EntityDescription { steps.last?.target ?? root }
}

extension AttributePath: CustomStringConvertible {
  /// For example `Car.owner.name`.
  public var description: String {
    let column = target.columns[column]
    return
      ([root.name] + steps.map { $0.source.columns[$0.column].name } + [column.name]
      + (part.map { [column.parts[$0].name] } ?? []))
      .joined(separator: ".")
  }
}

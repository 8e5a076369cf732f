internal import Locking

/// What a query asks of an object, as data: storages turn it into their own language.
///
/// Conditions are two-valued (S7): a step through nil is nil; nil equals only nil; ordering, text
/// and membership tests with nil are false.
public indirect enum QueryExpression: Hashable, Sendable {
  /// An attribute of the object, or of one that it refers to.
  case attribute(AttributePath)
  /// A value.
  case constant(StoredValue)
  /// A comparison of two values.
  case comparison(Comparison, QueryExpression, QueryExpression)
  /// Whether a value is among several.
  case isIn(QueryExpression, [StoredValue])
  /// Whether one text stands in another, byte for byte of what the folding leaves.
  case text(TextTest, QueryExpression, part: QueryExpression, ignoring: TextFolding)
  /// Whether all are true; with none, true.
  case and([QueryExpression])
  /// Whether one is true; with none, false.
  case or([QueryExpression])
  /// Whether it is false.
  case not(QueryExpression)
  /// How many of the objects that refer to this one meet a condition.
  case count(ManyPath, where: QueryExpression?)
}

/// How two values are compared.
public enum Comparison: String, Hashable, Sendable {
  /// The same stored form, nil included.
  case equal
  /// Not the same stored form, nil included.
  case notEqual
  /// Before; false with nil.
  case less
  /// Before or equal; false with nil.
  case lessOrEqual
  /// After; false with nil.
  case greater
  /// After or equal; false with nil.
  case greaterOrEqual
}

/// Where one text stands in another.
public enum TextTest: String, Hashable, Sendable {
  /// At the start.
  case prefix
  /// At the end.
  case suffix
  /// Anywhere.
  case infix
  /// From start to end: both are the same.
  case whole
}

/// A step from an object to the one that it refers to.
public struct ReferenceStep: Hashable, Sendable {
  /// The entity that refers.
  public let source: EntityDescription
  /// The position of the reference among its columns.
  public let column: Int

  /// A step through the reference at `column` of `source`.
  package init(source: EntityDescription, column: Int) {
    self.source = source
    self.column = column
  }

  /// The entity referred to.
  public var target: EntityDescription {
    guard let reference = source.columns[column].reference else {
      mistake("\(source.name).\(source.columns[column].name) is no reference")
    }
    return reference.target
  }
}

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

/// The objects that refer to the one at the end of some steps.
public struct ManyPath: Hashable, Sendable {
  /// The entity the path starts at.
  public let root: EntityDescription
  /// The steps to the owner, none for the object itself.
  public let steps: [ReferenceStep]
  /// The entity of the objects that refer to the owner.
  public let target: EntityDescription
  /// The position of their reference among their columns.
  public let column: Int
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

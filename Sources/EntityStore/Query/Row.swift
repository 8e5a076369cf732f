/// An object in a query, as far as its attributes are named and not read.
///
///     query.filter { $0.year > 1990 }   // $0 is a Row<Car, Car>, $0.year a Field<Car, Int>
///
/// `Root` is the entity the query is about, `Target` the one that steps through references led to.
@dynamicMemberLookup
public struct Row<Root: Entity, Target: Entity>: Sendable {
  let steps: [ReferenceStep]

  init(steps: [ReferenceStep]) { self.steps = steps }

  /// An attribute.
  ///
  /// A reference is storable too; for it the step to its object is preferred.
  @_disfavoredOverload
  public subscript<Value: Storable>(dynamicMember path: KeyPath<Target, Value>) -> Field<
    Root, Value
  > { field(path) }

  /// An optional attribute.
  ///
  /// Its comparisons are those of its value; nil equals only nil.
  @_disfavoredOverload
  public subscript<Value: Storable>(dynamicMember path: KeyPath<Target, Value?>) -> Field<
    Root, Value
  > { field(path) }

  /// The object that a reference names.
  public subscript<Next: Entity>(dynamicMember path: KeyPath<Target, Ref<Next>>) -> Row<
    Root, Next
  > { step(path) }

  /// The object that an optional reference names.
  ///
  /// A step through nil is nil.
  public subscript<Next: Entity>(dynamicMember path: KeyPath<Target, Ref<Next>?>) -> Row<
    Root, Next
  > { step(path) }

  /// The objects that refer to this one.
  public subscript<Other: Entity>(dynamicMember path: KeyPath<Target, Many<Target, Other>>)
    -> Rows<Root, Other>
  {
    let target = Other.schema.entity
    return Rows(
      path: ManyPath(
        root: Root.schema.entity, steps: steps, target: target,
        column: target.referenceColumn(inverse: path)))
  }

  /// The parts of a composite id.
  public subscript<ID: CompositeID>(dynamicMember path: KeyPath<Target, ID>) -> IDParts<Root, ID> {
    IDParts(root: Root.schema.entity, steps: steps, column: Target.schema.entity.column(path))
  }

  private func field<Value>(_ path: AnyKeyPath) -> Field<Root, Value> {
    let entity = Target.schema.entity
    return Field(
      .attribute(
        AttributePath(root: Root.schema.entity, steps: steps, column: entity.column(path))))
  }

  private func step<Next>(_ path: AnyKeyPath) -> Row<Root, Next> {
    let entity = Target.schema.entity
    return Row<Root, Next>(
      steps: steps + [ReferenceStep(source: entity, column: entity.column(path))])
  }

  var identity: QueryExpression {
    .attribute(
      AttributePath(
        root: Root.schema.entity, steps: steps, column: Target.schema.entity.identity))
  }

  /// Whether there is no object here: a reference on the way is nil, or its object is missing.
  public var isNil: Condition<Root> {
    Condition(.comparison(.equal, identity, .constant(.null)))
  }

  /// Whether this is the object that `reference` names.
  public static func == (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    Condition(.comparison(.equal, row.identity, .constant(reference.storedValue.checkedOperand)))
  }

  /// Whether this isn't the object that `reference` names.
  public static func != (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    Condition(.comparison(.notEqual, row.identity, .constant(reference.storedValue.checkedOperand)))
  }
}

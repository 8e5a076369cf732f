internal import Locking

/// A placeholder for an object in a query: its attributes are named and not read.
///
///     query.filter { $0.year > 1990 }   // $0 is a Row<Car, Car>, $0.year a Field<Car, Int>
///
/// `Root` is the entity of the query. `Target` is the entity to which steps through references have
/// led.
@dynamicMemberLookup
public struct Row<Root: Entity, Target: Entity>: Sendable {
  let steps: [ReferenceStep]

  init(steps: [ReferenceStep]) { self.steps = steps }

  /// Returns an attribute.
  ///
  /// A reference is storable, too. For a reference the step to its object is preferred.
  ///
  /// - Precondition: it isn't an id with parts, which a query names by its parts.
  @_disfavoredOverload
  public subscript<Value: Storable>(dynamicMember path: KeyPath<Target, Value>) -> Field<
    Root, Value
  > { field(path) }

  /// Returns an optional attribute.
  ///
  /// Its comparisons are those of its value. Nil equals only nil.
  @_disfavoredOverload
  public subscript<Value: Storable>(dynamicMember path: KeyPath<Target, Value?>) -> Field<
    Root, Value
  > { field(path) }

  /// Returns the object that a reference names.
  public subscript<Next: Entity>(dynamicMember path: KeyPath<Target, Ref<Next>>) -> Row<
    Root, Next
  > { step(path) }

  /// Returns the object that an optional reference names.
  ///
  /// A step through nil is nil.
  public subscript<Next: Entity>(dynamicMember path: KeyPath<Target, Ref<Next>?>) -> Row<
    Root, Next
  > { step(path) }

  /// Returns the parts of a composite id.
  public subscript<ID: CompositeID>(dynamicMember path: KeyPath<Target, ID>) -> IDParts<Root, ID> {
    IDParts(root: Root.schema.entity, steps: steps, column: Target.schema.entity.column(path))
  }

  private func field<Value>(_ path: AnyKeyPath) -> Field<Root, Value> {
    let entity = Target.schema.entity
    let column = entity.column(path)
    mustHold(
      entity.columns[column].type != .list || entity.columns[column].reference != nil,
      "\(entity.name).\(entity.columns[column].name) has parts, and a query names it as one value; "
        + "name its parts, or ask isNil")
    return Field(
      .attribute(AttributePath(root: Root.schema.entity, steps: steps, column: column)))
  }

  private func step<Next>(_ path: AnyKeyPath) -> Row<Root, Next> {
    let entity = Target.schema.entity
    return Row<Root, Next>(
      steps: steps + [ReferenceStep(source: entity, column: entity.column(path))])
  }

  private var identity: QueryExpression {
    .attribute(
      AttributePath(
        root: Root.schema.entity, steps: steps, column: Target.schema.entity.identity))
  }

  /// The reference that the last step reads, as it is stored, even if its object is missing.
  private var reference: QueryExpression {
    guard let last = steps.last else { return identity }
    return .attribute(
      AttributePath(root: Root.schema.entity, steps: steps.dropLast(), column: last.column))
  }

  private func compared(_ comparison: Comparison, _ reference: Ref<Target>?) -> Condition<Root> {
    Condition(
      .comparison(
        comparison, self.reference, .constant(reference.storedValue.checkedOperand)))
  }

  /// The condition that the reference is nil, or that the object that would have it is missing.
  ///
  /// If the reference isn't nil, its own object may still be missing. Then `$0.owner.id.isNil` is
  /// true.
  public var isNil: Condition<Root> { compared(.equal, nil) }

  /// Returns the condition that the reference is `reference`, even if its object is missing.
  ///
  /// - Precondition: its id isn't NaN and has no part that is.
  public static func == (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    row.compared(.equal, reference)
  }

  /// Returns the condition that the reference isn't `reference`, even if its object is missing.
  ///
  /// - Precondition: its id isn't NaN and has no part that is.
  public static func != (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    row.compared(.notEqual, reference)
  }

  /// Returns the condition that the reference is one of `references`; false for nil.
  ///
  /// It doesn't matter whether the reference's object exists.
  ///
  /// - Precondition: no id among them is NaN or has a part that is.
  public func `in`(_ references: some Sequence<Ref<Target>>) -> Condition<Root> {
    Condition(.isIn(reference, references.map(\.storedValue.checkedOperand)))
  }
}

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

  private var identity: QueryExpression {
    .attribute(
      AttributePath(
        root: Root.schema.entity, steps: steps, column: Target.schema.entity.identity))
  }

  /// What the last step reads: the reference as it is stored, whether or not its object is there.
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

  /// Whether the reference is nil, or there is no object that could have it.
  ///
  /// Its own object may be missing all the same: then `$0.owner.id.isNil` is true.
  public var isNil: Condition<Root> { compared(.equal, nil) }

  /// Whether the reference is `reference`, be its object there or not.
  ///
  /// - Precondition: its id isn't NaN and has no part that is.
  public static func == (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    row.compared(.equal, reference)
  }

  /// Whether the reference isn't `reference`, be its object there or not.
  ///
  /// - Precondition: its id isn't NaN and has no part that is.
  public static func != (row: Row, reference: Ref<Target>?) -> Condition<Root> {
    row.compared(.notEqual, reference)
  }

  /// Whether the reference is among `references`, be its object there or not; false for nil.
  ///
  /// - Precondition: no id among them is NaN or has a part that is.
  public func `in`(_ references: some Sequence<Ref<Target>>) -> Condition<Root> {
    Condition(.isIn(reference, references.map(\.storedValue.checkedOperand)))
  }
}

public import EntityStore

/// An object in a result, with the values of related objects as of the same version.
///
///     let car = cars.snapshot[path]
///     car.model            // an attribute of the car
///     car.value            // the car
///     car.owner?.name      // an included value of the owner
///
/// A step through a reference reads only what the query includes.
@dynamicMemberLookup
public struct EntityView<E: Entity>: Sendable, Identifiable {
  let result: ResultRow
  let plan: ResultPlan
  /// The steps from the result's row to this object.
  let steps: [ReferenceStep]

  init(_ result: ResultRow, _ plan: ResultPlan, steps: [ReferenceStep] = []) {
    self.result = result
    self.plan = plan
    self.steps = steps
  }

  /// The object.
  ///
  /// - Precondition: it is the result's own, or the query includes the whole of it:
  ///   `.including { $0.owner }`.
  public var value: E {
    if steps.isEmpty { return result.row.value(as: E.self) }
    let entity = E.schema.entity
    do {
      return try entity.row(entity.columns.indices.map(included)).value(as: E.self)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The object's id.
  public var id: E.ID { self[dynamicMember: \E.id] }

  /// An attribute.
  public subscript<Value>(dynamicMember path: KeyPath<E, Value>) -> Value {
    if steps.isEmpty { return result.row.value(as: E.self)[keyPath: path] }
    let column = E.schema.entity.columnIndex(of: path)
    do {
      return try E.schema.decode(included(column), at: path)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// The object that a reference names, or nil if it is missing.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>>) -> EntityView<
    Target
  >? { step(path) }

  /// The object that a reference names, or nil if the reference is nil or the object is missing.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>?>) -> EntityView<
    Target
  >? { step(path) }

  private func step<Target>(_ path: AnyKeyPath) -> EntityView<Target>? {
    let entity = E.schema.entity
    let next = steps + [ReferenceStep(source: entity, column: entity.columnIndex(of: path))]
    let view = EntityView<Target>(result, plan, steps: next)
    return view.included(Target.schema.entity.identity).isNull ? nil : view
  }

  private func included(_ column: Int) -> StoredValue {
    let path = AttributePath(root: plan.query.entity, steps: steps, column: column)
    guard let place = plan.place(of: .attribute(path)) else {
      preconditionFailure(
        "\(path) isn't included; add it to the query with .including { … } to read it here")
    }
    return result.values[place]
  }
}

extension EntityView: Equatable {
  /// Whether the object and everything included with it have the same stored values.
  public static func == (a: EntityView, b: EntityView) -> Bool {
    a.steps == b.steps && !a.result.differs(from: b.result)
  }
}

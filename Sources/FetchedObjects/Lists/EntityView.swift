@_spi(Storage) public import EntityStore
public import ListDiffing
internal import Locking

/// An object in a result, with the values of related objects as of the same version.
///
///     let car = cars.snapshot[path]
///     car.model            // an attribute of the car
///     car.value            // the car
///     car.owner?.name      // an included value of the owner
///
/// A step through a reference reads only the values that the query includes.
@dynamicMemberLookup
public struct EntityView<E: Entity>: Sendable {
  let result: ResultRow
  /// The values that the query includes of this object and of the objects that it refers to.
  let included: InclusionTree

  init(_ result: ResultRow, _ plan: ResultPlan) {
    self.result = result
    included = plan.included
  }

  init(_ result: ResultRow, _ included: InclusionTree) {
    self.result = result
    self.included = included
  }

  /// The object's row as it is stored.
  ///
  /// - Precondition: The object is the result's own object.
  package var storedRow: EntityRow { result.row }

  var storedID: StoredValue {
    included.isRoot ? result.id : stored(E.schema.entity.identity)
  }

  /// The object.
  ///
  /// - Precondition: The object is the result's own object, or the query includes the whole object:
  ///   `.including { $0.owner }`.
  public var value: E {
    if included.isRoot { return result.row.value(as: E.self) }
    let entity = E.schema.entity
    return mustRead { try entity.row(entity.columns.indices.map(stored)).value(as: E.self) }
  }

  /// The value of an attribute.
  ///
  /// A reference is storable, too. For a reference, the overload that steps to its object is
  /// preferred.
  ///
  /// - Precondition: The object is the result's own object, or the query includes the attribute, or
  ///   the whole object if the property isn't stored.
  @_disfavoredOverload
  public subscript<Value: Storable>(dynamicMember path: KeyPath<E, Value>) -> Value {
    if included.isRoot { return result.row[path] }
    guard let column = E.schema.entity.columnIfListed(path) else { return value[keyPath: path] }
    let content = stored(column)
    return mustRead {
      // An id with parts may be storable as one value, too.
      if column == E.schema.entity.identity, let id = try E.schema.id(stored: content) as? Value {
        return id
      }
      return try Value(storedValue: content)
    }
  }

  /// The value of a property that isn't stored.
  ///
  /// - Precondition: The object is the result's own object, or the query includes the whole object.
  @_disfavoredOverload
  public subscript<Value>(dynamicMember path: KeyPath<E, Value>) -> Value {
    included.isRoot ? result.row[path] : value[keyPath: path]
  }

  /// The object that a reference refers to, or nil if it is missing.
  ///
  /// - Precondition: The query includes a value of that object.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>>) -> EntityView<
    Target
  >? { step(path) }

  /// The object that a reference refers to, or nil if the reference is nil or the object is
  /// missing.
  ///
  /// - Precondition: The query includes a value of that object.
  public subscript<Target: Entity>(dynamicMember path: KeyPath<E, Ref<Target>?>) -> EntityView<
    Target
  >? { step(path) }

  /// The values that are included of the objects that refer to this one.
  ///
  ///     row.repairs.count                // .including { $0.repairs.count }
  ///     row.repairs.sum { $0.price }     // .including { $0.repairs.sum { $0.price } }
  public subscript<Other: Entity>(dynamicMember path: KeyPath<E, Many<E, Other>>) -> IncludedRows<
    Other
  > { IncludedRows(result.values, included, Rows(path)) }

  private func step<Target>(_ path: AnyKeyPath) -> EntityView<Target>? {
    let column = E.schema.entity.column(path)
    guard let next = included.steps[column] else { notIncluded(column) }
    let view = EntityView<Target>(result, next)
    return view.stored(Target.schema.entity.identity).isNull ? nil : view
  }

  private func stored(_ column: Int) -> StoredValue {
    guard let place = included.places[column] else { notIncluded(column) }
    return result.values?.all[place] ?? .null
  }

  private func notIncluded(_ column: Int) -> Never {
    let name = E.schema.entity.columns[column].name
    mistake(
      "\(included.name).\(name) isn't included; add it to what the query or the observed object "
        + "includes, .including { … }, to read it here")
  }
}

extension EntityView: Equatable {
  /// Returns true if the same stored values can be read through both views: those of the object,
  /// and those included with it.
  ///
  /// Other values that the query reads, such as its sort keys, make no difference. Neither does the
  /// object through which a view of a related object was reached.
  ///
  /// - Complexity: O(*m*), where *m* is the number of attributes that can be read.
  public static func == (a: EntityView, b: EntityView) -> Bool {
    guard a.included.isRoot == b.included.isRoot else { return false }
    if a.included.isRoot && !a.result.row.isEqual(to: b.result.row) { return false }
    if a.included === b.included && a.result.values === b.result.values { return true }
    return a.included.showsSame(a.result.values, as: b.included, b.result.values)
  }
}

extension EntityView: Identifiable {
  /// The object's id.
  ///
  /// Two text ids that are equal by `==`, but not by their bytes, are those of two objects (S8). A
  /// `ForEach` of SwiftUI takes them for one. So bring such texts to one form before you store
  /// them.
  public var id: E.ID {
    if included.isRoot { return result.row[\E.id] }
    return mustRead { try E.schema.id(stored: stored(E.schema.entity.identity)) }
  }
}

/// A row of a list. Its identifier is the object's id. Its content is everything that the query
/// includes.
extension EntityView: Diffable {}

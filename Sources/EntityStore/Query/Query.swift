internal import Locking

/// Which objects, in which order, in which sections, and what comes with them.
///
///     let query = Query<Car>()
///       .filter {
///         $0.year > 1990
///         $0.owner.name != ""
///       }
///       .sorted { [$0.owner.name.ascending, $0.model.ascending] }
///       .sectioned { $0.owner.name }
///       .including { $0.owner.name }
///
/// A query is a value, equal to one that says the same in the same words. Objects with equal keys are
/// ordered by id.
public struct Query<Root: Entity>: Hashable, Sendable {
  /// The query as data.
  public private(set) var description: QueryDescription

  /// All objects, ordered by id.
  public init() {
    description = QueryDescription(entity: Root.schema.entity)
  }

  /// The query for the objects that also meet these conditions, one a line.
  public func filter(
    @ConditionBuilder<Root> _ conditions: (Row<Root, Root>) -> Condition<Root>
  ) -> Query {
    var query = self
    let condition = conditions(Row(steps: [])).expression
    if let filter = description.filter {
      query.description.filter = .and([filter, condition])
    } else {
      query.description.filter = condition
    }
    return query
  }

  /// The query in another order: by the first key, where that is equal by the second, and so on,
  /// then by id.
  public func sorted(_ keys: (Row<Root, Root>) -> [Ordering<Root>]) -> Query {
    var query = self
    query.description.orderings = keys(Row(steps: [])).map(\.key)
    return query
  }

  /// The query with a section for each value of a field, which is identity, title and order at once.
  ///
  /// Sections are ascending, or as the first ordering says if that is on the same field. Those of a condition
  /// or another `Bool` are titled "false" and "true", in this order.
  public func sectioned<Value: Storable>(_ key: (Row<Root, Root>) -> Field<Root, Value>) -> Query {
    var query = self
    query.description.sectioning = .key(key(Row(steps: [])).expression)
    query.description.titlesAreTruths = Value.self is any Truth.Type
    return query
  }

  /// The query with a section for each value of `identity`.
  ///
  /// Title and order read only what the identity determines; objects of one section that disagree
  /// on them are a mistake.
  ///
  ///     .sectioned(by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending })
  ///
  /// - Parameters:
  ///   - identity: what tells one section from another.
  ///   - title: the section's name.
  ///   - order: the key that sections are ordered by, before their identity.
  /// - Returns: the sectioned query.
  public func sectioned<Identity: Storable, Title: Storable>(
    by identity: (Row<Root, Root>) -> Field<Root, Identity>,
    title: (Row<Root, Root>) -> Field<Root, Title>,
    order: (Row<Root, Root>) -> Ordering<Root>
  ) -> Query {
    var query = self
    query.description.sectioning = .parts(
      identity: identity(Row(steps: [])).expression, title: title(Row(steps: [])).expression,
      order: order(Row(steps: [])).key)
    query.description.titlesAreTruths = Title.self is any Truth.Type
    return query
  }

  /// The query for the object with an id, with all that this one includes.
  package func only(_ id: Root.ID) -> Query {
    var query = Query()
    query.description.included = description.included
    let entity = description.entity
    query.description.filter = .comparison(
      .equal, .attribute(AttributePath(root: entity, steps: [], column: entity.identity)),
      .constant(Root.schema.stored(id)))
    return query
  }

  /// The query for another stretch of its result, or for all of it.
  package func limited(offset: Int, limit: Int?) -> Query {
    var query = self
    query.description.limit = limit
    query.description.offset = offset
    return query
  }

  /// The query for a stretch of its result: at most `count` objects, after the first `offset`.
  ///
  /// - Precondition: neither is negative.
  public func limit(_ count: Int, offset: Int = 0) -> Query {
    mustHold(count >= 0, "A limit of \(count) objects; use 0 or more")
    mustHold(offset >= 0, "An offset of \(offset) objects; use 0 or more")
    var query = self
    query.description.limit = count
    query.description.offset = offset
    return query
  }

  /// The query whose rows also bring values of related objects, one path a line.
  ///
  /// Only what is included, filtered by, sorted by or sectioned by is watched.
  public func including(
    @InclusionBuilder<Root> _ paths: (Row<Root, Root>) -> Inclusion<Root>
  ) -> Query {
    var query = self
    for path in paths(Row(steps: [])).paths where !query.description.included.contains(path) {
      query.description.included.append(path)
    }
    return query
  }

  /// The query whose result also gives sums, averages, extremes and counts of some fields, one a line.
  ///
  ///     let query = Query<Car>().sectioned { $0.owner.name }.aggregating {
  ///       $0.price
  ///       $0.owner.age
  ///     }
  ///
  /// A model's snapshots and their sections give them: `cars.snapshot.sum { $0.price }`. Nothing is added
  /// up before it is asked for. A field may step through references, and is watched then: a row whose
  /// value changes is an updated row. Of a `Decimal` a result gives the smallest, the largest and the
  /// count; its sum and its average are the store's, `store.sum(of:)` and `store.average(of:)`.
  public func aggregating(
    @AggregationBuilder<Root> _ fields: (Row<Root, Root>) -> Aggregation<Root>
  ) -> Query {
    var query = self
    for field in fields(Row(steps: [])).expressions
    where !query.description.aggregated.contains(field) {
      query.description.aggregated.append(field)
    }
    return query
  }
}

/// What is true or false: `Bool`, or an optional of it.
private protocol Truth {}
extension Bool: Truth {}
extension Optional: Truth where Wrapped: Truth {}

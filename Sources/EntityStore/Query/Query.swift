internal import Locking

/// A condition, an order and perhaps sections, with the values that come with each object.
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
/// A query is a value. It equals a query that is written in the same way. Objects with equal keys
/// are ordered by id.
public struct Query<Root: Entity>: Hashable, Sendable {
  /// The query as data.
  @_spi(Storage) public private(set) var description: QueryDescription

  /// Creates the query for all objects, ordered by id.
  public init() {
    description = QueryDescription(entity: Root.schema.entity)
  }

  /// Returns the query for the objects that also meet these conditions, one on each line.
  public func filter(
    @Condition<Root>.Builder _ conditions: (Row<Root, Root>) -> Condition<Root>
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

  /// Returns the query in another order.
  ///
  /// Objects are ordered by the first key, then by the second, and so on, and finally by id.
  public func sorted(_ keys: (Row<Root, Root>) -> [Ordering<Root>]) -> Query {
    var query = self
    query.description.orderings = keys(Row(steps: [])).map(\.key)
    query.description.checkCasesOfSections()
    return query
  }

  /// Returns the query with a section for each value of a field.
  ///
  /// The value is the identity, the title and the order of its section. Sections are ascending,
  /// unless the first ordering is on the same field: then they have its order. The sections of a
  /// condition or another `Bool` have the titles "false" and "true", in this order.
  ///
  /// - Precondition: If the values are those of a `CaseIterable` enum, its `<` is the order of its
  ///   raw values, or the query is sorted by the same field already, and stays so.
  public func sectioned<Value: Storable>(_ key: (Row<Root, Root>) -> Field<Root, Value>) -> Query {
    let expression = key(Row(steps: [])).expression
    var query = self
    query.description.sectioning = .key(expression)
    query.description.casesCheck = CasesCheck { OrderOfCases.check(Value.self) }
    query.description.checkCasesOfSections()
    query.description.titlesAreTruths = Value.self is any Truth.Type
    return query
  }

  /// Returns the query with a section for each value of `identity`.
  ///
  /// Title and order may read only values that the identity determines. Nothing checks this: if
  /// they differ, the section has the title of one of its rows, or there are two sections with one
  /// id.
  ///
  ///     .sectioned(
  ///       by: { $0.owner.id }, title: { $0.owner.name }, order: { $0.owner.name.ascending })
  ///
  /// - Parameters:
  ///   - identity: the value that distinguishes sections.
  ///   - title: the section's name.
  ///   - order: the key by which sections are ordered, before their identity.
  /// - Returns: the sectioned query.
  public func sectioned<Identity: Storable, Title: Storable>(
    by identity: (Row<Root, Root>) -> Field<Root, Identity>,
    title: (Row<Root, Root>) -> Field<Root, Title>,
    order: (Row<Root, Root>) -> Ordering<Root>
  ) -> Query {
    var query = self
    let key = order(Row(steps: [])).key
    mustHold(
      !key.expression.isRank,
      "Sections are ordered by relevance, which no section has; order them by a value of theirs, "
        + "and their rows with sorted { [$0.rank(of:)] }")
    query.description.sectioning = .parts(
      identity: identity(Row(steps: [])).expression, title: title(Row(steps: [])).expression,
      order: key)
    query.description.titlesAreTruths = Title.self is any Truth.Type
    query.description.casesCheck = nil
    return query
  }

  /// Returns the query for the object with an id, with all that this one includes.
  package func only(_ id: Root.ID) -> Query {
    var query = Query()
    query.description.included = description.included
    query.description.includedComputed = description.includedComputed
    let entity = description.entity
    query.description.filter = .comparison(
      .equal, .column(entity.identity, of: entity), .constant(Root.schema.stored(id)))
    return query
  }

  /// Returns the query for another part of its result, or for all of it.
  package func limited(offset: Int, limit: Int?, fromEnd isFromEnd: Bool = false) -> Query {
    var query = self
    query.description.limit = limit
    query.description.offset = offset
    query.description.isFromEnd = isFromEnd
    return query
  }

  /// Returns the query for a part of its result: at most `count` objects, after the first `offset`.
  ///
  /// - Precondition: neither is negative.
  public func limit(_ count: Int, offset: Int = 0) -> Query {
    mustHold(count >= 0, "A limit of \(count) objects; use 0 or more")
    mustHold(offset >= 0, "An offset of \(offset) objects; use 0 or more")
    return limited(offset: offset, limit: count)
  }

  /// Returns the query for the end of its result: at most `count` objects, before the last
  /// `offset`.
  ///
  ///     let newest = Query<Message>().sorted { [$0.sentAt.ascending] }.last(50)
  ///
  /// The objects are in the order of the query. A model with such a window stays at the end: a row
  /// that comes last pushes the first one out.
  ///
  /// - Precondition: neither is negative.
  public func last(_ count: Int, offset: Int = 0) -> Query {
    mustHold(count >= 0, "The last \(count) objects; use 0 or more")
    mustHold(offset >= 0, "An offset of \(offset) objects; use 0 or more")
    return limited(offset: offset, limit: count, fromEnd: true)
  }

  /// Returns the query whose rows also have values of related objects, one on each line.
  ///
  ///     query.including {
  ///       $0.owner.name
  ///       $0.repairs.count
  ///       $0.repairs.sum { $0.price }
  ///     }
  ///
  /// Of related objects, a query watches only values that it includes, filters by, sorts by,
  /// sections by or aggregates.
  public func including(
    @Inclusion<Root>.Builder _ paths: (Row<Root, Root>) -> Inclusion<Root>
  ) -> Query {
    var query = self
    let inclusion = paths(Row(steps: []))
    for path in inclusion.paths where !query.description.included.contains(path) {
      query.description.included.append(path)
    }
    for value in inclusion.computed where !query.description.includedComputed.contains(value) {
      query.description.includedComputed.append(value)
    }
    return query
  }

  /// Returns the query whose result also gives sums, averages, extremes and counts of some fields.
  ///
  ///     let query = Query<Car>().sectioned { $0.owner.name }.aggregating {
  ///       $0.price
  ///       $0.owner.age
  ///     }
  ///
  /// There is one field on each line. A model's snapshots and their sections give the results:
  /// `cars.snapshot.sum { $0.price }`. Nothing is added up before it is needed. A field may lead
  /// through references. Then it is watched: a row whose value changes is an updated row. For a
  /// `Decimal`, a result gives the smallest and the largest value and the count. The store gives
  /// its sum and its average: `store.sum(of:)` and `store.average(of:)`.
  public func aggregating(
    @Aggregation<Root>.Builder _ fields: (Row<Root, Root>) -> Aggregation<Root>
  ) -> Query {
    var query = self
    let fields = fields(Row(steps: []))
    query.description.numbers.formUnion(fields.numbers)
    for field in fields.expressions
    where !query.description.aggregated.contains(field) {
      query.description.aggregated.append(field)
    }
    return query
  }
}

/// A type whose values are true or false: `Bool`, or an optional of it.
private protocol Truth {}
extension Bool: Truth {}
extension Optional: Truth where Wrapped: Truth {}

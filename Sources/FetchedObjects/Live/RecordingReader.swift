@_spi(Storage) internal import EntityStore

/// A reader that notes what is read.
///
/// Objects that the storage looks at to evaluate a query aren't noted. The query's own dependencies
/// lead to them.
final class RecordingReader: PinningReader {
  let base: any StorageReader
  /// The last reading of the same closure, whose queries are prepared already.
  private let last: Reading?
  /// The numbers that are known at this version and this instant.
  private let counts: [ReadQuery.Key: Int]
  /// The instant at which conditions of time are evaluated.
  let instant: Double
  var reading = Reading()

  /// Creates a reader over another one.
  init(
    _ base: any StorageReader, at instant: Double, after last: Reading?,
    counts: [ReadQuery.Key: Int]
  ) {
    self.base = base
    self.instant = instant
    self.last = last
    self.counts = counts
  }

  func query(_ key: ReadQuery.Key) -> ReadQuery {
    if let query = reading.queries[key] { return query }
    if let query = last?.queries[key], query.instant ?? instant == instant { return query }
    return ReadQuery(key, at: instant)
  }

  /// Notes a plan, and returns it as the base understands it.
  private func note(_ plan: FetchPlan, as kind: ReadQuery.Kind = .objects) -> FetchPlan {
    let values = plan.values + plan.order.map(\.expression)
    reading.add(
      query(
        ReadQuery.Key(entity: plan.entity, filter: plan.filter, values: values, kind: kind)))
    return pinned(plan)
  }

  private func pinned(_ plan: FetchPlan) -> FetchPlan {
    plan.isTimed ? plan.pinned(at: instant) : plan
  }

  var version: Int64 { base.version }

  func row(of entity: EntityDescription, id: StoredValue) throws -> EntityRow? {
    reading.add(Reading.Object(entity: entity, id: id))
    return try base.row(of: entity, id: id)
  }

  func ids(of entity: EntityDescription, where columns: [Int], equal values: [StoredValue]) throws
    -> [StoredValue]
  {
    let tests = zip(columns, values).map { column, value in
      QueryExpression.comparison(
        .equal, .column(column, of: entity), .constant(value))
    }
    reading.add(
      query(ReadQuery.Key(entity: entity, filter: .and(tests), values: [], kind: .objects)))
    return try base.ids(of: entity, where: columns, equal: values)
  }

  func fetch(_ plan: FetchPlan) throws -> [FetchedRow] {
    try base.fetch(note(plan))
  }

  func rows(_ plan: FetchPlan) throws -> [EntityRow] {
    try base.rows(note(plan))
  }

  func forEachValues(_ plan: FetchPlan, _ body: ([StoredValue]) throws -> Void) throws {
    // With a limit, other attributes decide which objects these are.
    let kind = plan.limit == nil && plan.offset == 0 ? ReadQuery.Kind.values : .objects
    try base.forEachValues(note(plan, as: kind), body)
  }

  func forEachRow(_ plan: FetchPlan, _ body: (EntityRow) throws -> Void) throws -> Bool {
    try base.forEachRow(note(plan), body)
  }

  func count(_ entity: EntityDescription, where filter: QueryExpression?) throws -> Int {
    let key = ReadQuery.Key(entity: entity, filter: filter, values: [], kind: .count)
    let query = query(key)
    // It is noted first, so that it is followed even if counting fails.
    reading.add(query)
    let count = try counts[key] ?? base.count(entity, where: filter?.pinned(at: instant))
    reading.add(query, count: count)
    return count
  }

  func wordCount(of entity: EntityDescription) throws -> Int? { try base.wordCount(of: entity) }

  func explain(_ plan: FetchPlan) throws -> QueryPlan { try base.explain(pinned(plan)) }
}

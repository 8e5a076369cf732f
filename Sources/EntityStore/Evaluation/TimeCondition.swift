/// A condition of time: the attribute that decides, and when it does.
///
/// It changes once for each value, at a boundary: when the moment reaches the value, for `<=` and
/// `>`, or when it passes it, for `<` and `>=`.
struct TimeCondition: Hashable, Sendable {
  /// The way to the attribute from the objects of the query.
  let way: RelationshipDependency
  /// The entity that has the attribute.
  let entity: EntityDescription
  let column: Int
  /// The seconds from now to the moment.
  let seconds: Double
  /// True if the condition changes when the moment reaches a value, false if when it passes it.
  let changesWhenReached: Bool

  init(
    _ comparison: Comparison, _ path: AttributePath, _ moment: Moment, through paths: [ManyPath]
  ) {
    way = RelationshipDependency(through: paths, path.steps, columns: [path.column])
    entity = path.target
    column = path.column
    seconds = moment.secondsFromNow
    changesWhenReached = comparison == .lessOrEqual || comparison == .greater
  }

  /// Returns true if the boundary of a value has passed at an instant.
  func hasPassed(_ value: Double, at instant: Double) -> Bool {
    let moment = instant + seconds
    return changesWhenReached ? moment >= value : moment > value
  }

  /// Returns an instant at which the boundary of a value has passed, and shortly before which it
  /// hasn't.
  func boundary(of value: Double) -> Double {
    var instant = value - seconds
    guard instant.isFinite else { return .infinity }
    // Numbers are rounded, so the difference may be a little too small.
    let step = Swift.max(instant.ulp, value.ulp, seconds.ulp)
    while !hasPassed(value, at: instant) { instant += step }
    return instant
  }

  /// Returns the number of seconds in an object's attribute, or nil.
  func value(of row: EntityRow?) -> Double? {
    guard case .real(let value)? = row?.value(at: column) else { return nil }
    return value
  }

  // MARK: Reading

  /// Returns the least value whose boundary hasn't passed at an instant, or nil.
  func leastValue(after instant: Double, reading reader: any StorageReader) throws -> Double? {
    let bound = ValueBounds.Bound(
      value: (instant + seconds).storedValue, isIncluded: !changesWhenReached)
    guard case .real(let value)? = try reader.leastValue(of: column, in: entity, from: bound) else {
      return nil
    }
    return value
  }

  /// Returns the ids of the query's objects for which the condition changes between two instants.
  func startIDs(
    changingFrom start: Double, to end: Double, reading reader: any StorageReader
  ) throws -> Set<StoredValue> {
    let bounds = ValueBounds(
      lower: ValueBounds.Bound(
        value: .real(Swift.min(start, end) + seconds), isIncluded: !changesWhenReached),
      upper: ValueBounds.Bound(
        value: .real(Swift.max(start, end) + seconds), isIncluded: changesWhenReached))
    return try way.starts(
      of: try reader.rows(of: column, in: entity, within: bounds), reading: reader)
  }
}

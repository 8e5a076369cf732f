@_spi(Storage) internal import EntityStore

/// All objects of an entity in the order of their ids, one page at a time.
///
/// The pages are consistent if they are read in one transaction.
struct ObjectPages {
  let entity: EntityDescription
  /// The number of objects in a page; nil for all of them, if they are in memory anyway.
  let size: Int?
  private var last: StoredValue?
  private var isOver = false

  init(_ entity: EntityDescription, size: Int?) {
    self.entity = entity
    self.size = size
  }

  /// Returns the next page, or nil after the last one.
  mutating func next(_ reader: any StorageReader) throws -> [EntityRow]? {
    if isOver { return nil }
    let rows = try reader.rows(FetchPlan(of: entity, where: last.map(after), limit: size))
    isOver = size.map { rows.count < $0 } ?? true
    // SQLite trusts the order of the ids in a file. In a damaged file, pages would repeat forever.
    if let last, let id = rows.last?.id, id <= last {
      throw StoreError.fault(
        .corrupt,
        "The file is damaged: ids of \(entity.name) aren't in their order; put back a copy")
    }
    last = rows.last?.id
    return rows.isEmpty ? nil : rows
  }

  /// Returns the condition that an id comes after another one, in a form for which a file uses its
  /// index.
  private func after(_ id: StoredValue) -> QueryExpression {
    guard case .list(let parts) = id else {
      return .comparison(.greater, path(nil), .constant(id))
    }
    // (a, b, c) > (x, y, z) is a >= x and (a > x or (b >= y and (b > y or c > z))).
    let last = parts.count - 1
    return (0..<last).reversed().reduce(compare(.greater, last, parts[last])) { rest, index in
      .and([
        compare(.greaterOrEqual, index, parts[index]),
        .or([compare(.greater, index, parts[index]), rest]),
      ])
    }
  }

  private func compare(_ comparison: Comparison, _ part: Int, _ value: StoredValue)
    -> QueryExpression
  { .comparison(comparison, path(part), .constant(value)) }

  private func path(_ part: Int?) -> QueryExpression {
    .attribute(AttributePath(root: entity, steps: [], column: entity.identity, part: part))
  }
}

extension QueryExpression {
  /// The value for the object of `row`, whose related objects come from `reader`.
  package func evaluate(_ row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    switch self {
    case .attribute(let path):
      return try path.evaluate(row, reading: reader)
    case .constant(let value):
      return value
    case .comparison(let comparison, let a, let b):
      return StoredValue(
        comparison.holds(
          try a.evaluate(row, reading: reader), try b.evaluate(row, reading: reader)))
    case .isIn(let value, let values):
      let value = try value.evaluate(row, reading: reader)
      return StoredValue(!value.isNull && values.contains(value))
    case .text(let test, let text, let part):
      guard case .text(let text) = try text.evaluate(row, reading: reader),
        case .text(let part) = try part.evaluate(row, reading: reader)
      else { return StoredValue(false) }
      return StoredValue(TextBytes.contains(text, part, at: test))
    case .and(let all):
      return StoredValue(try all.allSatisfy { try $0.evaluate(row, reading: reader).isTrue })
    case .or(let some):
      return StoredValue(try some.contains { try $0.evaluate(row, reading: reader).isTrue })
    case .not(let condition):
      return StoredValue(!(try condition.evaluate(row, reading: reader).isTrue))
    case .count(let path, let condition):
      return .integer(Int64(try path.count(from: row, where: condition, reading: reader)))
    }
  }
}

extension Comparison {
  func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
    switch self {
    case .equal: return a == b
    case .notEqual: return a != b
    default: break
    }
    guard !a.isNull, !b.isNull else { return false }
    let order = a.compare(to: b)
    switch self {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    default: return order >= 0
    }
  }
}

extension AttributePath {
  package func evaluate(_ row: EntityRow, reading reader: any StorageReader) throws -> StoredValue {
    guard let last = try follow(steps, from: row, reading: reader) else { return .null }
    return last.value(at: column)
  }
}

extension ManyPath {
  func count(
    from row: EntityRow, where condition: QueryExpression?, reading reader: any StorageReader
  ) throws -> Int {
    guard let owner = try follow(steps, from: row, reading: reader) else { return 0 }
    let ids = try reader.ids(of: target, where: [column], equal: [owner.id])
    guard let condition else { return ids.count }
    var count = 0
    for id in ids {
      guard let many = try reader.row(of: target, id: id) else { continue }
      if try condition.evaluate(many, reading: reader).isTrue { count += 1 }
    }
    return count
  }
}

/// The object at the end of `steps`, or nil where a reference is nil or its object is missing.
package func follow(
  _ steps: [ReferenceStep], from row: EntityRow, reading reader: any StorageReader
) throws -> EntityRow? {
  var row = row
  for step in steps {
    let id = row.value(at: step.column)
    guard !id.isNull, let next = try reader.row(of: step.target, id: id) else { return nil }
    row = next
  }
  return row
}

// If a storage is far away, a look-up is a round trip. Then objects are read together before they
// are asked for one by one.
extension StorageReader {
  /// The number of values that are looked up together at most.
  static var mostTogether: Int { 512 }

  /// Reads the objects with one of some values of an attribute, and calls `body` with those of a
  /// part of the values.
  ///
  /// It leaves out a part with an object that can't be read, and values that a list doesn't find.
  ///
  /// - Throws: ``StoreError`` if reading fails otherwise.
  func readTogether(
    _ entity: EntityDescription, _ column: Int, among values: Set<StoredValue>,
    _ body: (_ rows: [EntityRow], _ values: ArraySlice<StoredValue>) -> Void
  ) throws {
    var size = Self.mostTogether
    _ = try readTogether(entity, column, among: values, limit: nil, size: &size) {
      body($0, $1)
      return true
    }
  }

  /// Does the same by lists that find at most `limit` objects, until `body` returns false.
  ///
  /// A list begins with `size` values, or fewer if so many have too many objects.
  ///
  /// - Returns: the values that more than `limit` objects have.
  /// - Throws: ``StoreError`` if reading fails otherwise.
  func readTogether(
    _ entity: EntityDescription, _ column: Int, among values: Set<StoredValue>, limit: Int?,
    size: inout Int, _ body: (_ rows: [EntityRow], _ values: ArraySlice<StoredValue>) -> Bool
  ) throws -> Set<StoredValue> {
    var common: Set<StoredValue> = []
    let value = QueryExpression.column(column, of: entity)
    var rest = Array(values.filter(\.isListable))[...]
    while !rest.isEmpty {
      let part = rest.prefix(size)
      let list = QueryExpression.isIn(value, Array(part).padded())
      let plan = FetchPlan(of: entity, where: list, limit: limit.map { $0 + 1 })
      do {
        let rows = try rows(plan.unordered)
        if rows.count > limit ?? .max {
          size = max(1, part.count / 2)
          if part.count > 1 { continue }
          common.formUnion(part)
        } else {
          if !body(rows, part) { return common }
          if rows.count < (limit ?? .max) / 4 { size = min(2 * size, Self.mostTogether) }
        }
      } catch StoreError.unreadable {
        // Perhaps nobody asks for that object. A caller that does gets the error then.
      }
      rest = rest.dropFirst(part.count)
    }
    return common
  }
}

extension [StoredValue] {
  /// Returns the values, with the first one again until their number is a power of two.
  ///
  /// Lists of a few lengths make few statements to prepare.
  package func padded() -> [StoredValue] {
    var list = self
    while list.count & (list.count - 1) != 0 { list.append(list[0]) }
    return list
  }
}

extension StoredValue {
  /// True if each storage finds the value in a list: not nil, NaN, or text with a NUL.
  fileprivate var isListable: Bool {
    switch self {
    case .null: false
    case .text(let text): !text.utf8.contains(0)
    case .list(let parts): parts.allSatisfy(\.isListable)
    case .integer, .real, .bytes: !isNaN
    }
  }
}

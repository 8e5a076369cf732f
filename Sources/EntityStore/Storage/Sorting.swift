/// Putting rows in a query's order.
///
/// The keys of all rows stand in one array. What is sorted are numbers: the first eight bytes of the
/// first key, in an order-preserving form, and the row's place. Only where those are equal are the
/// keys themselves compared, so most comparisons touch no text and count no references.
struct Sorting {
  private struct Item {
    let prefix: UInt64
    let place: Int
  }

  private let order: [SortKey]
  private var keys: ContiguousArray<StoredValue> = []
  private var items: ContiguousArray<Item> = []

  init(by order: [SortKey]) { self.order = order }

  /// Adds the next row, by the values of its keys.
  mutating func add(_ row: EntityRow, reading reader: any StorageReader) throws {
    let first = keys.count
    for key in order { keys.append(try key.expression.evaluate(row, reading: reader)) }
    let prefix = order.isEmpty ? 0 : order[0].prefix(of: keys[first])
    items.append(Item(prefix: prefix, place: items.count))
  }

  /// The places of the rows, in the order in which they were added, sorted by their keys.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  consuming func places() -> [Int] {
    let order = order
    let width = order.count
    keys.withUnsafeBufferPointer { keys in
      items.sort { a, b in
        if a.prefix != b.prefix { return a.prefix < b.prefix }
        for index in 0..<width {
          let comparison = order[index].compare(
            keys[a.place * width + index], keys[b.place * width + index])
          if comparison != 0 { return comparison < 0 }
        }
        return false
      }
    }
    return items.map(\.place)
  }
}

extension SortKey {
  /// A number that comes before another's wherever the value does, or is the same.
  fileprivate func prefix(of value: StoredValue) -> UInt64 {
    let bits: UInt64
    switch value {
    case .null: return nilsFirst ? 0 : .max
    case .integer(let number): bits = UInt64(bitPattern: number) ^ (1 << 63)
    case .real(let number):
      let pattern = (number == 0 ? 0 : number).bitPattern
      bits = pattern >> 63 == 0 ? pattern ^ (1 << 63) : ~pattern
    case .text(let text): bits = Self.firstBytes(text.utf8)
    case .bytes(let bytes): bits = Self.firstBytes(bytes)
    }
    let directed = (isAscending ? bits : ~bits) >> 1
    return nilsFirst ? directed | (1 << 63) : directed
  }

  private static func firstBytes(_ bytes: some Collection<UInt8>) -> UInt64 {
    var result: UInt64 = 0
    var count = 0
    for byte in bytes.prefix(8) {
      result = result << 8 | UInt64(byte)
      count += 1
    }
    return count == 0 ? 0 : result << UInt64(8 * (8 - count))
  }
}

extension FetchPlan {
  /// `rows` in the plan's order, for storages whose language can't say it.
  ///
  /// - Complexity: O(*n* log *n*) where *n* is the number of rows.
  public func sorted(_ rows: [FetchedRow], reading reader: any StorageReader) throws
    -> [FetchedRow]
  {
    var sorting = Sorting(by: order)
    for row in rows { try sorting.add(row.row, reading: reader) }
    return sorting.places().map { rows[$0] }
  }

  /// The rows of the plan for objects that belong, in its order and with its values.
  func fetched(_ rows: [EntityRow], reading reader: any StorageReader) throws -> [FetchedRow] {
    var sorting = Sorting(by: order)
    for row in rows { try sorting.add(row, reading: reader) }
    return try sorting.places().map { place in
      let row = rows[place]
      return FetchedRow(row: row, values: try values.map { try $0.evaluate(row, reading: reader) })
    }
  }
}

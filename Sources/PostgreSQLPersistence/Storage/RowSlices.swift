#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// The rows of a statement with arrays, cut so that no message to the server is too large.
///
/// A server refuses a message of one gigabyte. A slice has at most 16 MB of values, or so few rows
/// that each is sent alone.
struct RowSlices: Sequence, IteratorProtocol {
  private static let mostRows = 8192
  private static let mostBytes = 16 << 20

  private let rows: [EntityRow]
  private let single: Int
  private var place = 0

  /// Cuts rows into slices; up to `single` rows are sent alone, each in a message.
  init(_ rows: [EntityRow], atMostSingle single: Int) {
    self.rows = rows
    self.single = single
  }

  /// Cuts ids into slices.
  static func slices(of ids: [StoredValue]) -> [[StoredValue]] {
    stride(from: 0, to: ids.count, by: mostRows).map { Array(ids[$0...].prefix(mostRows)) }
  }

  mutating func next() -> [EntityRow]? {
    let start = place
    // Most commits are small, and need no measuring.
    if rows.count - start <= single { place = rows.count }
    var bytes = 0
    while place < rows.count && place - start < Self.mostRows {
      bytes += rows[place].values.reduce(0) { $0 + $1.size }
      if bytes > Self.mostBytes && place - start >= single { break }
      place += 1
    }
    return place > start ? Array(rows[start..<place]) : nil
  }
}

extension StoredValue {
  /// About the number of bytes that it takes in a message.
  fileprivate var size: Int {
    switch self {
    case .null: 4
    case .integer, .real: 12
    case .text(let text): 4 + text.utf8.count
    case .bytes(let bytes): 4 + bytes.count
    case .list(let parts): parts.reduce(0) { $0 + $1.size }
    }
  }
}
#endif

@_spi(Storage) internal import EntityStore

/// A reader of rows that have to be compared, because their keys begin in the same way.
///
/// It reads one version, each row once.
final class TieReader {
  private let plan: ResultPlan
  private let reader: any StorageReader
  private let known: [(Int64, ResultRow)]
  /// The known rows, added on first access, and the rows that have been read.
  private lazy var rows = Dictionary(known, uniquingKeysWith: { first, _ in first })
  private(set) var comparisons = 0

  /// Creates a reader that needn't read the rows in `known`.
  init(_ plan: ResultPlan, _ reader: any StorageReader, known: [(Int64, ResultRow)] = []) {
    self.plan = plan
    self.reader = reader
    self.known = known
  }

  /// Returns true if the row with a number comes after another one with the same prefix, or is the
  /// same.
  func comesNoEarlier(_ number: Int64, _ row: ResultRow) throws -> Bool {
    comparisons += 1
    return plan.comesNoEarlier(try self.row(number), row)
  }

  private func row(_ number: Int64) throws -> ResultRow {
    if let row = rows[number] { return row }
    guard let object = try reader.numbered().rows(of: plan.query.entity, numbered: [number])[0]
    else {
      throw IndexOutOfStep()
    }
    let row = try plan.orderRow(object, reading: reader)
    rows[number] = row
    return row
  }
}

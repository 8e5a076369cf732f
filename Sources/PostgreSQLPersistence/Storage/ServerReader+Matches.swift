#if PostgreSQL
@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

extension ServerReader {
  /// The number of rows for which other objects are read together, at least.
  private static let leastAhead = 16

  /// The end of rows of which enough have been found.
  private struct HasEnough: Error {}

  /// Calls `body` with each object that meets a plan's condition, in the order of the query, as far
  /// as they are needed.
  ///
  /// `related` reads other objects for the evaluation of the plan's expressions. With `inParts`,
  /// the server sends no more than some parts of the rows, if the first ones are enough.
  func forEachMatch(
    _ plan: FetchPlan, _ query: SQLQuery, inParts: Bool,
    _ body: (
      _ found: UnsafeServerResult, _ place: Int, EntityRow, _ related: any StorageReader
    ) throws -> Void
  ) throws {
    let statements = try statements(of: plan.entity)
    let condition = query.condition
    let evaluated = query.evaluatedHere(of: plan)
    let memo = remembering(SharedReads(of: evaluated))
    let related: any StorageReader = memo ?? self
    let end = query.end ?? .max
    var count = 0
    // The next rows, for which other objects have been read. A row that can't be read is an error
    // once it is needed.
    var next: ArraySlice<Result<EntityRow, any Error>> = []
    var size = Self.leastAhead
    func visit(_ found: UnsafeServerResult, _ place: Int) throws {
      if let memo, next.isEmpty {
        let ahead = min(max(size, end - count), SharedReader.size)
        size = min(2 * size, SharedReader.size)
        let places = place..<min(place + ahead, found.rowCount)
        next = places.map { place in Result { try statements.object(found, place) } }[...]
        try memo.readAhead(evaluated, of: next.compactMap { try? $0.get() })
      }
      let row = try next.popFirst()?.get() ?? statements.object(found, place)
      guard try condition?.isTrueUnchecked(of: row, reading: related) ?? true else { return }
      count += 1
      try body(found, place, row, related)
    }
    if inParts {
      do {
        try connection.forEachRow(of: query.select, areFirst: query.end != nil) { found, place in
          if count < end { try visit(found, place) }
          if count == end { throw HasEnough() }
        }
      } catch is HasEnough {}
      return
    }
    let found = try connection.run(query.select.numbered, query.select.values)
    for place in 0..<found.rowCount {
      if count == end { break }
      try visit(found, place)
    }
  }
}
#endif

@_spi(Storage) import Signalbox

extension FetchPlan {
  /// The answer of a storage that has no language of its own: each row of the entity is asked here.
  nonisolated func answer(
    from rows: some Sequence<EntityRow>, reading reader: any StorageReader
  ) throws -> [FetchedRow] {
    let condition = filter.map { CompiledExpression($0, of: entity) }
    let wanted = values.map { CompiledExpression($0, of: entity) }
    var found: [FetchedRow] = []
    for row in rows where try condition?.isTrue(of: row, reading: reader) ?? true {
      let values = try wanted.map { try $0.value(of: row, reading: reader) }
      found.append(FetchedRow(row: row, values: values))
    }
    return try sorted(found, reading: reader)
  }
}

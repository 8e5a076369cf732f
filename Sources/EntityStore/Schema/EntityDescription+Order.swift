extension EntityDescription {
  /// Checks, with a few objects made of sample values, that no two attributes come back in each
  /// other's place.
  ///
  /// Two of one type in another order than the initialiser's parameters compile. What no sample can be
  /// found for, as an enumeration's text, is checked with the first objects that are inserted.
  func checkOrderOfSamples() {
    let candidates = columns.indices.filter { column in
      columns[column].type != .list
        && columns.indices.contains { $0 != column && columns[$0].type == columns[column].type }
    }
    guard !candidates.isEmpty, let values = sampleValues() else { return }
    for column in candidates {
      for sample in samples(of: column) where sample != values[column] {
        var changed = values
        changed[column] = sample
        guard let row = try? row(changed) else { continue }
        checkOrder(of: row, madeOf: changed, without: values[column], at: column)
        break
      }
    }
  }

  private func checkOrder(
    of row: EntityRow, madeOf values: [StoredValue], without old: StoredValue, at column: Int
  ) {
    guard row.value(at: column) == old else { return }
    let other = columns.indices.first {
      $0 != column && columns[$0].type == columns[column].type
        && row.value(at: $0) == values[column] && values[$0] != values[column]
    }
    guard let other else { return }
    preconditionFailure(
      "\(name).\(columns[column].name) comes back as another value, that of \(columns[other].name); list "
        + "the attributes of the schema in the order of the initialiser's parameters")
  }

  /// Values that an object can be made of, the same for all attributes of a type as far as they take it.
  private func sampleValues() -> [StoredValue]? {
    var places = columns.map { _ in 0 }
    let all = columns.indices.map(samples)
    while true {
      var values: [StoredValue] = []
      for column in columns.indices {
        guard places[column] < all[column].count else { return nil }
        values.append(all[column][places[column]])
      }
      do {
        _ = try row(values)
        return values
      } catch StoreError.unreadable(_, let attribute, _) {
        guard let column = column(named: attribute) else { return nil }
        places[column] += 1
      } catch {
        return nil
      }
    }
  }

  /// Values that an attribute may have, the likeliest first.
  private func samples(of column: Int) -> [StoredValue] {
    let column = columns[column]
    var samples: [StoredValue] = column.defaultValue.map { [$0] } ?? []
    if column.isOptional { samples.append(.null) }
    switch column.type {
    case .integer: samples += [.integer(1), .integer(2), .integer(0)]
    case .real: samples += [.real(1), .real(2)]
    case .text:
      samples += ["a", "b", "1", "2", "\"a\"", "\"b\"", "[]", "[1]", "{}"].map(StoredValue.text)
    case .bytes:
      samples += [1, 2].map { .bytes([UInt8](repeating: $0, count: 16)) }
    case .list:
      let parts = column.parts.map { part -> StoredValue in
        switch part.type {
        case .integer: .integer(1)
        case .real: .real(1)
        case .bytes: .bytes([UInt8](repeating: 1, count: 16))
        case .text, .list: .text("a")
        }
      }
      samples.append(.list(parts))
    }
    return samples
  }
}

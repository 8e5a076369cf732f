internal import Locking

extension EntityDescription {
  /// Checks that no two attributes are swapped, with a few objects made of sample values.
  ///
  /// Two attributes of one type compile even if their order isn't that of the initialiser's
  /// parameters. For some attributes, such as an enumeration's text, no sample can be found. They
  /// are checked with the objects that are written.
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
        order.note(row) { row.value(at: $0) == changed[$0] }
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
    if let other { refuseOrder(of: column, for: other) }
  }

  private func refuseOrder(of column: Int, for other: Int) -> Never {
    mistake(
      "\(name).\(columns[column].name) comes back as another value, that of \(columns[other].name); list "
        + "the attributes of the schema in the order of the initialiser's parameters")
  }

  /// Checks that a row made of an object's stored values equals the object.
  ///
  /// It checks the first objects, and those that distinguish attributes.
  func checkOrder(ofInserted row: EntityRow) {
    if order.isConfirmed(by: row, isNew: true) { checkOrder(of: row) }
  }

  /// Checks an object that is updated in the same way; in a debug build it checks every object.
  func checkOrder(ofUpdated row: EntityRow) {
    #if DEBUG
    checkOrder(of: row)
    #else
    if order.isConfirmed(by: row, isNew: false) { checkOrder(of: row) }
    #endif
  }

  /// Checks that a row made of an object's stored values equals the object.
  ///
  /// Two attributes of one type that aren't in the order of the initialiser's parameters would be
  /// swapped when they are read from a file. An attribute that a closure leaves out would be read
  /// as the closure's value. An attribute whose stored form gives another value would be read as
  /// that value. A value whose stored form differs each time proves nothing.
  private func checkOrder(of row: EntityRow) {
    guard let again = try? self.row(row.values) else { return }
    // Releasing its values may run code that commits, which it can't while rules are checked.
    defer { ReleasePool.add(again) }
    for column in again.changedColumns(from: row) {
      if again.isOther(than: row, at: column) {
        let found = again.value(at: column)
        let other = columns.indices.first {
          $0 != column && decoders[$0].type == decoders[column].type && row.value(at: $0) == found
        }
        if let other { refuseOrder(of: column, for: other) }
        mistake(
          "\(name).\(columns[column].name) comes back as another value; the schema's initialiser must give each "
            + "property the value of its attribute, in the order of the attributes")
      }
      if column != identity, let form = row.lossyForm(at: column) {
        mistake(
          "\(name).\(columns[column].name) is stored as \(row.value(at: column).brief), which gives "
            + "\(form.brief); a file would have another value than memory, so let the type's initialiser keep what "
            + "it is given, or refuse it")
      }
    }
    order.note(row)
  }

  /// An object made of sample values, if values are known of which it can be made.
  var sample: EntityRow? { sampleValues().flatMap { try? row($0) } }

  /// Returns values of which an object can be made.
  ///
  /// All attributes of a type have the same value, as far as they accept it.
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

  /// Returns values that an attribute may have, the likeliest first.
  private func samples(of column: Int) -> [StoredValue] {
    let decoder = decoders[column]
    let column = columns[column]
    var samples: [StoredValue] = column.defaultValue.map { [$0] } ?? []
    if column.isOptional { samples.append(.null) }
    samples += decoder.samples
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

extension EntityDescription {
  /// Throws if a row breaks a rule about its own values: those that it requires, and its checks.
  ///
  /// `old` is the row as it was, or nil if it is new.
  func checkValues(of row: EntityRow, before old: EntityRow?) throws {
    // An id never changes.
    if old == nil, let storeIDAgain {
      try checkValue(of: row, at: identity)
      let (id, again) = (row.id, storeIDAgain(row.id))
      if again != id { throw StoreError.inexactID(row.objectID, again: again) }
    }
    for column in required { try checkValue(of: row, at: column) }
    for check in rules.checks where !check.isMet(row) {
      throw StoreError.checkFailed(row.objectID, check: check.name)
    }
  }

  private func checkValue(of row: EntityRow, at index: Int) throws {
    let value = row.value(at: index)
    let column = columns[index]
    if case .list(let parts) = value, let part = parts.firstIndex(where: \.isNull) {
      throw StoreError.missingValue(row.objectID, attribute: column.parts[part].name)
    }
    if value.isNull && !(column.isOptional && !rules.required.contains(index)) {
      throw StoreError.missingValue(row.objectID, attribute: column.name)
    }
  }
}

@_spi(Storage) @_spi(Inspection) public import EntityStore
@_spi(Inspection) internal import FetchedObjects

extension Inspector {
  /// Returns the reasons why an object is in a list or isn't, or nil if there is no such list, or
  /// if the object isn't one of the list's entity.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - id: The id of the list.
  /// - Returns: The conditions with their values, by the newest version of the store.
  /// - Throws: ``/EntityStore/StoreError`` if the storage can't be read.
  public func reasons(for object: ObjectID, inList id: String) throws -> Reasons? {
    try liveList(id).flatMap { try reasons(for: object, in: $0) }
  }

  /// Returns the reasons, or nil if the object isn't one of the list's entity.
  func reasons(for object: ObjectID, in list: LiveResultInfo) throws -> Reasons? {
    let query = list.query
    guard query.entity.name == object.entityName else { return nil }
    let isShown = list.kind == .index ? nil : list.models.contains { $0.shows(object.id) }
    let instant = store.time.now
    return try store.withStorageReader { reader in
      // A name comes from outside: a storage may take another form of id for the one that it has.
      guard query.entity.canHaveID(object.id),
        let row = try reader.row(of: query.entity, id: object.id)
      else {
        return Reasons(isStored: false, isShown: isShown, filter: nil, section: [], order: [])
      }
      let judge = Judge(entity: query.entity, row: row, reader: reader)
      let filter = try query.filter.map { try judge.reason($0.pinned(at: instant)) }
      func values(of keys: [SortKey]) throws -> [Reason.Value] {
        // The list has keys of its own objects only.
        guard filter?.isTrue ?? true else { return [] }
        return try keys.map { try judge.value($0.pinned(at: instant).expression) }
      }
      return Reasons(
        isStored: true, isShown: isShown, filter: filter,
        section: try values(of: query.sectionOrder),
        order: try values(of: query.orderings.filter { !$0.expression.isRank }))
    }
  }
}

/// Evaluates the parts of a query for one object.
private struct Judge {
  let entity: EntityDescription
  let row: EntityRow
  let reader: any StorageReader

  func reason(_ condition: QueryExpression) throws -> Reason {
    let isTrue = try unlessSumIsBeyondInt {
      try CompiledExpression(condition, of: entity).isTrue(of: row, reading: reader)
    }
    var parts: [QueryExpression] = []
    var combination: Reason.Combination?
    var values: [QueryExpression] = []
    switch condition {
    case .and(let all): (parts, combination) = (all, .and)
    case .or(let all): (parts, combination) = (all, .or)
    case .not(let part): (parts, combination) = ([part], .not)
    case .comparison(_, let a, let b): values = [a, b]
    case .isIn(let value, _): values = [value]
    case .text(_, let text, let part, _): values = [text, part]
    default: break
    }
    return Reason(
      condition: condition.description, isTrue: isTrue ?? false, combination: combination,
      values: try values.filter { if case .constant = $0 { false } else { true } }.map(value),
      parts: try parts.map(reason))
  }

  func value(_ expression: QueryExpression) throws -> Reason.Value {
    let value = try unlessSumIsBeyondInt {
      try CompiledExpression(expression, of: entity).value(of: row, reading: reader)
    }
    return Reason.Value(expression: expression.description, value: value?.brief ?? "beyond Int")
  }

  /// Returns a result, or nil if it needs a sum beyond `Int`.
  ///
  /// The list makes no such sum of an object that another part of its filter leaves out.
  private func unlessSumIsBeyondInt<Result>(_ body: () throws -> Result) throws -> Result? {
    do { return try body() } catch StoreError.overflow { return nil }
  }
}

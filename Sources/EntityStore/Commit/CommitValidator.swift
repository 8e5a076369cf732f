/// A validator that checks the rules of a commit once, on its net change (S4).
///
/// If several rules are broken, it reports the first one. Rules are ordered by the entity's
/// position in the store's list and then by id. For one object, the order is required values,
/// checks, references and unique keys, each in the schema's order.
struct CommitValidator {
  /// A reference to an entity, as seen from that entity.
  struct Referrer: Sendable {
    let entity: EntityDescription
    let column: Int
    let reference: Column.Reference
  }

  /// The references to each entity that have a rule for its deletion.
  let referrers: [EntityDescription: [Referrer]]
  /// A reference whose object must exist.
  private typealias CheckedReference = (column: Int, target: EntityDescription)

  private let references: [EntityDescription: [CheckedReference]]
  /// The position of each entity in the store's list.
  private let places: [EntityDescription: Int]

  init(_ entities: [EntityDescription]) {
    var referrers: [EntityDescription: [Referrer]] = [:]
    var references: [EntityDescription: [CheckedReference]] = [:]
    for entity in entities {
      for column in entity.references {
        guard let reference = entity.columns[column].reference, !reference.isLateBound else {
          continue
        }
        referrers[reference.target, default: []].append(
          Referrer(entity: entity, column: column, reference: reference))
        references[entity, default: []].append((column, reference.target))
      }
    }
    self.referrers = referrers
    self.references = references
    places = Dictionary(uniqueKeysWithValues: zip(entities, 0...))
  }

  /// Carries out the delete rules and returns the net change, or throws if a rule is broken.
  func validate(_ draft: DraftCore) throws -> NetChanges {
    draft.keepReplaced()
    let deleted = try cascade(draft)
    if !deleted.isEmpty {
      try deny(deleted, draft)
      try nullify(deleted, draft)
    }
    let net = draft.netChanges()
    if draft.base.readsAhead { try readReferencesAhead(net, draft) }
    do {
      for table in net.tables where hasRules(table.entity) {
        let references = references[table.entity] ?? []
        for change in table.all { try check(change, table.entity, references, draft) }
      }
    } catch let error as StoreError where error.isBrokenRule {
      // The order of the changes isn't the same each time. So the first broken rule is looked for
      // again, in a fixed order.
      for table in net.tables.sorted(by: { isBefore($0.entity, $1.entity) })
      where hasRules(table.entity) {
        let references = references[table.entity] ?? []
        for change in table.sorted { try check(change, table.entity, references, draft) }
      }
      throw error
    }
    return net
  }

  /// Returns true if the rows of an entity have to be checked; most entities have no rule.
  private func hasRules(_ entity: EntityDescription) -> Bool {
    entity.hasValueRules || !entity.references.isEmpty || !entity.uniqueKeys.isEmpty
  }

  private func isBefore(_ a: EntityDescription, _ b: EntityDescription) -> Bool {
    places[a, default: 0] < places[b, default: 0]
  }

  // MARK: Delete rules

  /// Deletes the objects that the deleted ones cascade to, and returns all deleted objects.
  private func cascade(_ draft: DraftCore) throws -> [EntityRow] {
    var deleted: [EntityRow] = []
    draft.forEachDeleted { deleted.append($0) }
    var next = 0
    while next < deleted.count {
      let row = deleted[next]
      next += 1
      for referrer in referrers(to: row, by: .cascade) {
        for id in try draft.ids(of: referrer.entity, where: [referrer.column], equal: [row.id]) {
          guard let gone = try draft.row(of: referrer.entity, id: id) else { continue }
          try draft.delete(gone, of: referrer.entity)
          deleted.append(gone)
        }
      }
    }
    return deleted
  }

  private func deny(_ deleted: [EntityRow], _ draft: DraftCore) throws {
    guard let found = try firstDenial(of: deleted, draft) else { return }
    let sorted = deleted.sorted {
      $0.entity == $1.entity ? $0.id < $1.id : isBefore($0.entity, $1.entity)
    }
    throw try firstDenial(of: sorted, draft) ?? found
  }

  private func firstDenial(of deleted: [EntityRow], _ draft: DraftCore) throws -> StoreError? {
    for row in deleted {
      for referrer in referrers(to: row, by: .deny) {
        let ids = try draft.ids(of: referrer.entity, where: [referrer.column], equal: [row.id])
        guard let id = ids.min() else { continue }
        return .deleteDenied(
          row.objectID, referrer: ObjectID(entityName: referrer.entity.name, id: id),
          attribute: referrer.entity.columns[referrer.column].name)
      }
    }
    return nil
  }

  private func nullify(_ deleted: [EntityRow], _ draft: DraftCore) throws {
    for row in deleted {
      for referrer in referrers(to: row, by: .nullify) {
        for id in try draft.ids(of: referrer.entity, where: [referrer.column], equal: [row.id]) {
          // The draft keeps the row that it reads: to release it here may run code that commits. An
          // error ends the whole commit, so the update isn't undone.
          let update = try draft.beginUpdate(referrer.entity, id: id)
          try draft.finish(update, with: update.row.setting(referrer.column, to: .null))
        }
      }
    }
  }

  private func referrers(to row: EntityRow, by rule: DeleteRule) -> [Referrer] {
    referrers[row.entity]?.filter { $0.reference.onDelete == rule } ?? []
  }

  // MARK: Values, references and uniqueness

  private func check(
    _ change: ObjectChange, _ entity: EntityDescription, _ references: [CheckedReference],
    _ draft: DraftCore
  ) throws {
    guard let row = change.new else { return }
    if entity.hasValueRules { try entity.checkValues(of: row, before: change.old) }
    if !references.isEmpty { try check(references, of: row, before: change.old, entity, draft) }
    if !entity.uniqueKeys.isEmpty {
      try checkUniqueness(of: row, before: change.old, entity, draft)
    }
  }

  private func check(
    _ references: [CheckedReference], of row: EntityRow, before old: EntityRow?,
    _ entity: EntityDescription, _ draft: DraftCore
  ) throws {
    for (column, target) in references {
      if old?.isEqual(to: row, at: column, entity) ?? false { continue }
      let id = row.value(at: column)
      if try id.isNull || draft.row(of: target, id: id) != nil { continue }
      throw StoreError.missingReference(
        row.objectID, attribute: entity.columns[column].name,
        target: ObjectID(entityName: target.name, id: id))
    }
  }

  /// Has the storage read what the changed references of all objects refer to at once.
  private func readReferencesAhead(_ net: NetChanges, _ draft: DraftCore) throws {
    var targets: [EntityDescription: Set<StoredValue>] = [:]
    for table in net.tables {
      for (column, target) in references[table.entity] ?? [] {
        for change in table.all {
          guard let id = change.new?.value(at: column), !id.isNull,
            change.old?.value(at: column) != id,
            draft.written(to: target)?.changes[id] == nil
          else { continue }
          targets[target, default: []].insert(id)
        }
      }
    }
    for (entity, ids) in targets { try draft.base.readAhead(Array(ids), of: entity) }
  }

  private func checkUniqueness(
    of row: EntityRow, before old: EntityRow?, _ entity: EntityDescription, _ draft: DraftCore
  ) throws {
    for key in entity.uniqueKeys {
      let values = row.values(at: key)
      if values.contains(where: \.isNull) || old?.values(at: key) == values { continue }
      let others = try draft.ids(of: entity, where: key, equal: values).filter { $0 != row.id }
      guard others.isEmpty else {
        throw StoreError.notUnique(
          (others + [row.id]).sorted().map { ObjectID(entityName: entity.name, id: $0) },
          attributes: key.map { entity.columns[$0].name }, values: values)
      }
    }
  }
}

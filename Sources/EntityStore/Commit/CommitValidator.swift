internal import Locking

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

  /// A reference whose object must exist.
  private typealias CheckedReference = (column: Int, target: EntityDescription)

  /// For each entity, the references to it that aren't late-bound.
  let referrers: [EntityDescription: [Referrer]]
  /// For each entity, its own references that aren't late-bound.
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
    if draft.base.readsAhead {
      try readReferencesAhead(net, draft)
      try readKeysAhead(net, draft)
    }
    do {
      for table in net.tables { try checkAll(table.all, table.entity, draft) }
    } catch let error as StoreError where error.isBrokenRule {
      // The order of the changes isn't the same each time. So the first broken rule is looked for
      // again, in a fixed order.
      for table in net.tables.sorted(by: { isBefore($0.entity, $1.entity) }) {
        try checkAll(table.sorted, table.entity, draft)
      }
      throw error
    }
    return net
  }

  /// Checks changes of one entity, in their order.
  private func checkAll(
    _ changes: some Sequence<ObjectChange>, _ entity: EntityDescription, _ draft: DraftCore
  ) throws {
    guard hasRules(entity) else { return }
    let references = references[entity] ?? []
    for change in changes { try check(change, entity, references, draft) }
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
    // The objects that refer to those of one level are read together.
    var (next, endOfLevel) = (0, 0)
    while next < deleted.count {
      if next == endOfLevel {
        endOfLevel = deleted.count
        try readReferrersAhead(to: deleted[next...], by: .cascade, draft)
      }
      let row = deleted[next]
      next += 1
      for referrer in referrers(to: row.entity, by: .cascade) {
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
    // The first one that is denied ends the search. So the search reads ahead for as many objects
    // as it has passed.
    var endOfPart = 1
    for (place, row) in deleted.enumerated() {
      if place == endOfPart {
        endOfPart = min(place + min(place, DraftCore.mostTogether), deleted.count)
        try readReferrersAhead(to: deleted[place..<endOfPart], by: .deny, draft)
      }
      for referrer in referrers(to: row.entity, by: .deny) {
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
    try readReferrersAhead(to: deleted[...], by: .nullify, draft)
    for row in deleted {
      for referrer in referrers(to: row.entity, by: .nullify) {
        for id in try draft.ids(of: referrer.entity, where: [referrer.column], equal: [row.id]) {
          // The draft keeps the row that it reads: to release it here may run code that commits. An
          // error ends the whole commit, so the update isn't undone.
          let update = try draft.beginUpdate(referrer.entity, id: id)
          try draft.finish(update, with: update.row.setting(referrer.column, to: .null))
        }
      }
    }
  }

  private func referrers(to entity: EntityDescription, by rule: DeleteRule) -> [Referrer] {
    referrers[entity]?.filter { $0.reference.onDelete == rule } ?? []
  }

  /// Has the storage read together what refers to some objects by references with a rule.
  private func readReferrersAhead(
    to objects: ArraySlice<EntityRow>, by rule: DeleteRule, _ draft: DraftCore
  ) throws {
    if !draft.base.readsAhead { return }
    for (entity, rows) in Dictionary(grouping: objects, by: \.entity) {
      let referrers = referrers(to: entity, by: rule)
      if referrers.isEmpty { continue }
      let ids = Set(rows.map { $0.id(entity) })
      for referrer in referrers {
        // To deny a deletion, one of the objects is enough.
        let limit = rule == .deny ? DraftCore.mostTogether : nil
        try draft.readAhead(ids, at: referrer.column, of: referrer.entity, limit: limit)
      }
    }
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
      if id.isNull { continue }
      if let found = try draft.row(of: target, id: id) {
        // Releasing the row here could run code that commits. Rows of plain values can't, so they
        // aren't kept: there may be many.
        if !target.holdsPlainValues { ReleasePool.add(found) }
        continue
      }
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
        let written = draft.written(to: target)
        targets[target, default: []].formUnion(
          newValues(of: column, in: table).filter { written?.changes[$0] == nil })
      }
    }
    for (entity, ids) in targets where !ids.isEmpty {
      try draft.base.readAhead(Array(ids), of: entity, keepsOthers: true)
    }
  }

  /// Has the storage read together the objects that may share a changed key of one attribute.
  private func readKeysAhead(_ net: NetChanges, _ draft: DraftCore) throws {
    for table in net.tables {
      for key in table.entity.uniqueKeys where key.count == 1 {
        let values = newValues(of: key[0], in: table)
        // A single look-up costs no more, and reads only ids.
        if values.count > 1 { try draft.readAhead(values, at: key[0], of: table.entity) }
      }
    }
  }

  /// Returns the new values of an attribute, without nil.
  private func newValues(of column: Int, in table: TableChanges) -> Set<StoredValue> {
    var values: Set<StoredValue> = []
    for change in table.all {
      guard let value = change.new?.value(at: column), !value.isNull,
        change.old?.value(at: column) != value
      else { continue }
      values.insert(value)
    }
    return values
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

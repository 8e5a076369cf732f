@_spi(Storage) @testable import EntityStore

extension World {
  /// The world after the rules were judged for a commit that started at `before`, or the kinds of
  /// error it may be refused with.
  func judged(since before: World) -> (world: World, refusals: Set<String>) {
    var world = self
    var deleted: [(entity: EntityDescription, id: StoredValue)] = []
    func noteDeleted() {
      deleted = before.objects.flatMap { entity, rows in
        rows.map { (entity, $0[entity.identity]) }
      }.filter { entity, id in world.row(of: entity, id: id) == nil }
    }
    // An object that came and went in the commit has no say: nothing about it has changed.
    noteDeleted()
    var extra: [(entity: EntityDescription, id: StoredValue)] = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for gone in deleted + extra {
        for (entity, row) in world.referrers(to: gone, by: .cascade).map({ ($0.0, $0.1) }) {
          world.remove(row[entity.identity], of: entity)
          extra.append((entity, row[entity.identity]))
          isGrowing = true
        }
      }
      noteDeleted()
    }
    var refusals: Set<String> = []
    for gone in deleted + extra {
      if !world.referrers(to: gone, by: .deny).isEmpty { refusals.insert("deleteDenied") }
    }
    if !refusals.isEmpty { return (before, refusals) }
    for gone in deleted + extra {
      while let (entity, row, column) = world.referrers(to: gone, by: .nullify).first {
        var row = row
        row[column] = .null
        world.set(row, of: entity)
      }
    }
    for entity in world.objects.keys {
      for row in world.rows(of: entity) {
        for column in entity.references {
          guard let reference = entity.columns[column].reference, !reference.isLateBound,
            !row[column].isNull, world.row(of: reference.target, id: row[column]) == nil
          else { continue }
          refusals.insert("missingReference")
        }
        for key in entity.uniqueKeys where !key.contains(where: { row[$0].isNull }) {
          let same = world.rows(of: entity).filter { other in
            key.allSatisfy { Plain.equal(other[$0], row[$0]) }
          }
          if same.count > 1 { refusals.insert("notUnique") }
        }
      }
    }
    return refusals.isEmpty ? (world, []) : (before, refusals)
  }

  private func referrers(
    to object: (entity: EntityDescription, id: StoredValue), by rule: DeleteRule
  ) -> [(EntityDescription, [StoredValue], Int)] {
    var found: [(EntityDescription, [StoredValue], Int)] = []
    for (entity, rows) in objects {
      for column in entity.references {
        guard let reference = entity.columns[column].reference, !reference.isLateBound,
          reference.onDelete == rule, reference.target == object.entity
        else { continue }
        for row in rows where Plain.equal(row[column], object.id) {
          found.append((entity, row, column))
        }
      }
    }
    return found
  }
}

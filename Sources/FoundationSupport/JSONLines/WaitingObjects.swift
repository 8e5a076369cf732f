internal import EntityStore

/// Objects that wait for those that they refer to, so that a batch of an import refers to nothing that
/// comes later.
struct WaitingObjects {
  private struct Waiting {
    let row: NumberedRow
    var missing: Set<ObjectID>
  }

  private var waiting: [Int: Waiting] = [:]
  /// Who waits for an object, by places.
  private var waitingFor: [ObjectID: [Int]] = [:]
  private var next = 0

  /// The objects that can be written now that `row` has come: it, and whoever waited for it alone.
  ///
  /// - Parameters:
  ///   - row: an object.
  ///   - isThere: whether the store has an object, or has it with what is written next.
  /// - Returns: the objects, each after those that it refers to.
  /// - Throws: what `isThere` throws.
  mutating func ready(
    _ row: NumberedRow, _ isThere: (EntityDescription, StoredValue) throws -> Bool
  )
    throws -> [NumberedRow]
  {
    var missing: Set<ObjectID> = []
    let entity = row.row.entity
    for column in entity.references {
      let id = row.row.value(at: column)
      guard let reference = entity.columns[column].reference, !reference.isLateBound, !id.isNull
      else { continue }
      let target = reference.target
      if target == entity && id == row.row.id { continue }
      if try !isThere(target, id) {
        missing.insert(ObjectID(entityName: target.name, id: id))
      }
    }
    guard missing.isEmpty else {
      for target in missing { waitingFor[target, default: []].append(next) }
      waiting[next] = Waiting(row: row, missing: missing)
      next += 1
      return []
    }
    var ready = [row]
    var looked = 0
    while looked < ready.count {
      let target = ready[looked].row.objectID
      looked += 1
      for place in waitingFor.removeValue(forKey: target) ?? [] {
        guard var other = waiting[place] else { continue }
        other.missing.remove(target)
        waiting[place] = other.missing.isEmpty ? nil : other
        if other.missing.isEmpty { ready.append(other.row) }
      }
    }
    return ready
  }

  /// Those that still wait, in the order in which they came: they refer to each other, or to nothing.
  mutating func takeRest() -> [NumberedRow] {
    defer { (waiting, waitingFor) = ([:], [:]) }
    return waiting.sorted { $0.key < $1.key }.map(\.value.row)
  }
}

internal import EntityStore

/// Objects that wait for those that they refer to, so that a batch of an import refers to nothing that
/// comes later.
///
/// One that comes twice keeps its order: the second waits for the first.
struct WaitingObjects {
  /// What an object waits for.
  private enum Missing: Hashable {
    case object(ObjectID)
    /// One that waits as well, by its place.
    case place(Int)
  }

  private struct Waiting {
    let row: NumberedRow
    var missing: Set<Missing>
  }

  private var waiting: [Int: Waiting] = [:]
  /// Who waits for something, by places.
  private var waitingFor: [Missing: [Int]] = [:]
  /// Where each object stands that waits, the last time that it has come.
  private var places: [ObjectID: Int] = [:]
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
    var missing: Set<Missing> = []
    let entity = row.row.entity
    for column in entity.references {
      let id = row.row.value(at: column)
      guard let reference = entity.columns[column].reference, !reference.isLateBound, !id.isNull
      else { continue }
      let target = reference.target
      if target == entity && id == row.row.id { continue }
      if try !isThere(target, id) {
        missing.insert(.object(ObjectID(entityName: target.name, id: id)))
      }
    }
    if let place = places[row.row.objectID] { missing.insert(.place(place)) }
    guard missing.isEmpty else {
      for awaited in missing { waitingFor[awaited, default: []].append(next) }
      waiting[next] = Waiting(row: row, missing: missing)
      places[row.row.objectID] = next
      next += 1
      return []
    }
    var ready = [row]
    release(.object(row.row.objectID), into: &ready)
    return ready
  }

  /// Takes in those that have waited for something alone, and those that have waited for them.
  private mutating func release(_ awaited: Missing, into ready: inout [NumberedRow]) {
    var come = [awaited]
    var looked = 0
    while looked < come.count {
      let awaited = come[looked]
      looked += 1
      for place in waitingFor.removeValue(forKey: awaited) ?? [] {
        guard var other = waiting[place] else { continue }
        other.missing.remove(awaited)
        waiting[place] = other.missing.isEmpty ? nil : other
        guard other.missing.isEmpty else { continue }
        ready.append(other.row)
        let id = other.row.row.objectID
        if places[id] == place { places[id] = nil }
        come += [.object(id), .place(place)]
      }
    }
  }

  /// Those that still wait, in the order in which they came: they refer to each other, or to nothing.
  mutating func takeRest() -> [NumberedRow] {
    defer { (waiting, waitingFor, places) = ([:], [:], [:]) }
    return waiting.sorted { $0.key < $1.key }.map(\.value.row)
  }
}

@_spi(Storage) internal import EntityStore

/// Objects that wait for those that they refer to.
///
/// So a batch of an import refers to nothing that comes later. An object that comes twice keeps its
/// order: the second one waits for the first.
struct WaitingObjects {
  /// Something that an object waits for.
  private enum Missing: Hashable {
    case object(ObjectID)
    /// Another waiting object, by its position.
    case place(Int)
  }

  private struct Waiting {
    let row: NumberedRow
    var missing: Set<Missing>
  }

  private var waiting: [Int: Waiting] = [:]
  /// The positions of the objects that wait for something.
  private var waitingFor: [Missing: [Int]] = [:]
  /// The position of each waiting object, from the last time that it came.
  private var places: [ObjectID: Int] = [:]
  private var next = 0

  /// Returns the objects that can be written now that `row` has come.
  ///
  /// These are `row` and the objects that waited only for it, each after those that it refers to.
  /// `isThere` returns true if the store has an object, or will have it with what is written next.
  mutating func ready(
    _ row: NumberedRow, _ isThere: (EntityDescription, StoredValue) throws -> Bool
  ) throws -> [NumberedRow] {
    var missing: Set<Missing> = []
    let entity = row.row.entity
    for column in entity.references {
      let id = row.row.value(at: column)
      guard let reference = entity.columns[column].reference, !reference.isLateBound, !id.isNull
      else { continue }
      let target = reference.target
      if target == entity && id == row.row.id { continue }
      let object = Missing.object(ObjectID(entityName: target.name, id: id))
      // If others wait for it, it hasn't come since it was looked up for the first of them.
      if try waitingFor[object] != nil || !isThere(target, id) { missing.insert(object) }
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

  /// Appends the objects that waited only for something, and then those that waited for these.
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

  /// Removes and returns the objects that still wait, in the order in which they came.
  ///
  /// They refer to each other, or to objects that don't exist.
  mutating func takeRest() -> [NumberedRow] {
    defer { (waiting, waitingFor, places) = ([:], [:], [:]) }
    return waiting.sorted { $0.key < $1.key }.map(\.value.row)
  }
}

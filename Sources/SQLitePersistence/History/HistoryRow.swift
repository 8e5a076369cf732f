@_spi(Storage) internal import EntityStore
@_spi(Storage) internal import SQLMapping

/// The changes of a kept commit, as a row of `signalbox_history` contains them.
///
/// For an object that the commit inserted, the second half has all values. For one that it deleted,
/// the first half has them. For an updated object, both have the values that changed.
struct HistoryRow {
  /// The statement of a half about an object.
  typealias Half = ChangeLogObjects.Object

  /// The change of one object.
  struct Change {
    let layout: ChangeLogLayout
    let old: Half
    let new: Half
  }

  let changes: [Change]

  /// Reads a row, or returns nil if it can't be read or the entities had other columns.
  init?(old: [UInt8], new: [UInt8], layout: ([UInt8]) -> ChangeLogLayout?) {
    guard let old = Self.halves(old, layout), let new = Self.halves(new, layout),
      old.count == new.count
    else { return nil }
    var changes: [Change] = []
    for (id, half) in old {
      guard let other = new[id], !(half.half.wasAbsent && other.half.wasAbsent) else { return nil }
      changes.append(Change(layout: half.layout, old: half.half, new: other.half))
    }
    self.changes = changes
  }

  private static func halves(
    _ row: [UInt8], _ layout: ([UInt8]) -> ChangeLogLayout?
  ) -> [ObjectID: (layout: ChangeLogLayout, half: Half)]? {
    guard row.first == ChangeLogWriter.form else { return nil }
    var layouts: [ChangeLogLayout] = []
    var objects: [ObjectID: (layout: ChangeLogLayout, half: Half)] = [:]
    var isWhole = true
    var reader = ChangeLogReader(row)
    let isRead = reader.read { name in
      guard let layout = layout(name) else {
        isWhole = false
        return nil
      }
      layouts.append(layout)
      return (layouts.count - 1, layout)
    } add: { place, half in
      let id = ObjectID(entityName: layouts[place].entity.name, id: half.id)
      if objects.updateValue((layouts[place], half), forKey: id) != nil { isWhole = false }
    }
    return isRead && isWhole ? objects : nil
  }
}

extension HistoryRow.Change {
  var id: StoredValue { old.id }
  var objectID: ObjectID { ObjectID(entityName: layout.entity.name, id: id) }

  /// Returns the change, or nil if values are missing.
  ///
  /// The object that is there now has the values that the commit didn't change.
  ///
  /// - Throws: ``/EntityStore/StoreError/notFound(_:)`` if there is no object that was updated, or
  ///   ``/EntityStore/StoreError/unreadable(_:attribute:value:)``.
  func change(of found: EntityRow?) throws -> ObjectChange? {
    if old.wasAbsent {
      guard let new = try layout.row(of: new, else: nil) else { return nil }
      return ObjectChange(id: id, old: nil, new: new)
    }
    if new.wasAbsent {
      guard let old = try layout.row(of: old, else: nil) else { return nil }
      return ObjectChange(id: id, old: old, new: nil)
    }
    guard let found else { throw StoreError.notFound(objectID) }
    guard let old = try layout.row(of: old, else: found),
      let new = try layout.row(of: new, else: found)
    else { return nil }
    return ObjectChange(id: id, old: old, new: new)
  }
}

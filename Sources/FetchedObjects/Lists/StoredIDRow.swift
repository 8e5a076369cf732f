internal import EntityStore
internal import ListDiffing

/// A row that is identified by the stored form of its id, whatever `==` of the id returns (S8).
protocol StoredIDRow {
  var storedID: StoredValue { get }

  /// Returns the position of the first row with an id among rows of this type, or nil.
  static func firstIndex(of id: Any, in rows: Any) -> Int?

  /// Returns the changes from one array of sections to another, or nil if their rows aren't of this
  /// type.
  static func changes(from old: Any, to new: Any) -> ListChanges?
}

extension EntityView: StoredIDRow {
  static func firstIndex(of id: Any, in rows: Any) -> Int? {
    guard let id = id as? E.ID, let rows = rows as? [EntityView] else { return nil }
    let stored = E.schema.stored(id)
    return rows.firstIndex { $0.storedID == stored }
  }

  static func changes(from old: Any, to new: Any) -> ListChanges? {
    typealias Sections = [ListSection<ComparedHeader, EntityView>]
    guard let old = old as? Sections, let new = new as? Sections else { return nil }
    return ListChanges(
      from: old, to: new, sectionsIdentifiedBy: { $0.diffIdentifier },
      rowsIdentifiedBy: { $0.storedID }, isHeaderEqual: { $0.isContentEqual(to: $1) },
      isContentEqual: { $0.isContentEqual(to: $1) })
  }
}

internal import EntityStore

/// One row of a result: an object's version, with what the query reads of others.
///
/// It is immutable, so what it was sorted by stays with it. Nothing here depends on the entity's
/// type: the engine below the model is compiled once.
struct ResultRow: Sendable {
  let row: EntityRow
  /// The plan's `values`, in its order; nil if it has none.
  let values: RowValues?

  var id: StoredValue { row.id }

  /// Whether an attribute, or a value on a declared path, differs.
  func differs(from other: ResultRow) -> Bool {
    guard row.isEqual(to: other.row) else { return true }
    if values === other.values { return false }
    return values?.all != other.values?.all
  }
}

/// What tells a section from others, puts it in order and names it.
struct SectionKey: Sendable, Hashable {
  /// The values of the section order; the last is the identity.
  ///
  /// Empty if there are no sections.
  let order: [StoredValue]
  let title: String

  init(order: [StoredValue], title: String) {
    self.order = order
    self.title = title
  }

  var identity: StoredValue { order.last ?? .null }

  /// Texts are equal if their bytes are (S8).
  static func == (a: SectionKey, b: SectionKey) -> Bool {
    a.order == b.order && a.title.utf8.elementsEqual(b.title.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(order) }

  /// The one section of a result without sections.
  static let only = SectionKey(order: [], title: "")
}

/// One section of a result: its key and its rows, of which there is at least one.
final class ResultSection: Sendable {
  let key: SectionKey
  /// The slots of the rows, in their order.
  let rows: RankTree

  init(key: SectionKey, rows: RankTree) {
    self.key = key
    self.rows = rows
  }
}

internal import EntityStore

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

internal import EntityStore

/// A value that distinguishes a section from others, and gives its order and its title.
struct SectionKey: Sendable, Hashable {
  /// The values of the section order; the last one is the identity.
  ///
  /// It is empty if there are no sections.
  let order: [StoredValue]
  let title: String

  init(order: [StoredValue], title: String) {
    self.order = order
    self.title = title
  }

  var identity: StoredValue { order.last ?? .null }

  /// Returns true if both keys are equal; texts are equal if their bytes are (S8).
  static func == (a: SectionKey, b: SectionKey) -> Bool {
    a.order == b.order && a.title.utf8.elementsEqual(b.title.utf8)
  }

  func hash(into hasher: inout Hasher) { hasher.combine(order) }

  /// The key of the only section of a result without sections.
  static let only = SectionKey(order: [], title: "")
}

internal import EntityStore

/// A description of a list, as in `"Ann" [1, 2], "Bob" [3]` or `[1, 2, 3]`.
///
/// Of a long list, it has the beginning.
struct ListWords {
  /// The number of rows that can still be named.
  private var room = 20
  private var words: [String] = []
  private var left = 0

  private init() {}

  /// Returns the description of a list, which has no sections if `title` returns nil.
  ///
  /// - Complexity: O(*s* + log *n*) for *s* sections and *n* rows.
  static func describe<Sections: Collection>(
    _ sections: Sections, title: (Sections.Element) -> String?,
    name: (Sections.Element.Element) -> String
  ) -> String where Sections.Element: Collection {
    var list = ListWords()
    for section in sections { list.add(section, title(section), name) }
    if list.left > 0 { list.words.append("… \(list.left) more") }
    return list.words.isEmpty ? "[]" : list.words.joined(separator: ", ")
  }

  private mutating func add<Rows: Collection>(
    _ rows: Rows, _ title: String?, _ name: (Rows.Element) -> String
  ) {
    let count = rows.count
    left += max(0, count - room)
    if room == 0 && count > 0 { return }
    let names =
      "[\(rows.prefix(room).map { name($0).harmless(atMost: WordLimit.sentence) }.joined(separator: ", "))]"
    room -= min(room, count)
    words.append(title.map { "\"\($0.harmless(atMost: WordLimit.value))\" \(names)" } ?? names)
  }
}

func describe(_ versions: ClosedRange<Int64>) -> String {
  versions.count == 1
    ? "version \(versions.lowerBound)" : "versions \(versions.lowerBound) to \(versions.upperBound)"
}

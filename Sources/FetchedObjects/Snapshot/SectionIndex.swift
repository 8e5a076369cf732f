internal import Locking

/// The index beside a list: the first characters of the sections' titles, each once, in order.
struct SectionIndex {
  private var entries: [(title: String, section: Int)] = []

  /// Creates the index of sections with these titles.
  ///
  /// - Complexity: O(*s*) where *s* is the number of sections, plus the cost of their titles.
  init(_ titles: some Sequence<String>) {
    var seen: Set<String> = []
    for (section, title) in titles.enumerated() where !title.isEmpty {
      if seen.insert(title).inserted { entries.append((title, section)) }
    }
  }

  var titles: [String] { entries.map(\.title) }

  /// Returns the first section with a title.
  func section(titled title: String, at index: Int) -> Int {
    mustHold(
      entries.indices.contains(index) && entries[index].title == title,
      "The index has no \"\(title)\" at \(index); use sectionIndexTitles, which is \(titles)")
    return entries[index].section
  }
}

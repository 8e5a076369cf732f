internal import EntityStore
internal import ListDiffing
internal import Locking

/// The sections of an index-only snapshot.
///
///     for section in cars.snapshot.sections { print(section.name, section.count) }
public struct IndexedSectionList: RandomAccessCollection, Sendable {
  let sections: SectionTree

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { sections.count }

  /// The section at a position.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public subscript(position: Int) -> IndexedSection {
    let count = sections.count
    mustHold(
      position >= 0 && position < count, "There is no section \(position); there are \(count)")
    let section = sections[position]
    return IndexedSection(
      name: section.key.title, identity: section.key.identity, count: section.rows.count)
  }
}

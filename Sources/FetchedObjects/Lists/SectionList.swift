public import ListDiffing
internal import Locking

/// The sections of a snapshot.
///
///     for section in cars.snapshot.sections { print(section.name, section.count) }
public struct SectionList<Row: Diffable & Sendable>: RandomAccessCollection, Sendable {
  let content: any ListContent<Row>

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { content.sectionCount }

  /// The section at a position.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public subscript(position: Int) -> SectionInfo<Row> {
    let count = content.sectionCount
    mustHold(
      position >= 0 && position < count, "There is no section \(position); there are \(count)")
    return SectionInfo(content, position)
  }
}

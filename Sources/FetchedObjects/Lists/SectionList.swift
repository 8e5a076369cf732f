public import EntityStore
internal import ListDiffing
internal import Locking

/// The sections of a snapshot.
///
///     for section in cars.snapshot.sections { print(section.name, section.count) }
public struct SectionList<E: Entity>: RandomAccessCollection, Sendable {
  let result: ResultView

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { result.sectionCount }

  /// The section at a position.
  ///
  /// - Complexity: O(log *s*) where *s* is the number of sections.
  public subscript(position: Int) -> SectionInfo<E> {
    let count = result.sectionCount
    mustHold(
      position >= 0 && position < count, "There is no section \(position); there are \(count)")
    return SectionInfo(result, position)
  }
}

internal import EntityStore
public import ListDiffing
internal import Locking

/// The sections of a derived list.
///
///     for section in rows.snapshot.sections { print(section.name, section.count) }
public struct DerivedSectionList<Row: Diffable & Sendable>: RandomAccessCollection, Sendable {
  let content: any ListContent<Row>

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of sections.
  public var endIndex: Int { content.sectionCount }

  /// The section at a position.
  public subscript(position: Int) -> DerivedSection<Row> {
    let count = content.sectionCount
    mustHold(
      position >= 0 && position < count, "There is no section \(position); there are \(count)")
    return DerivedSection(
      content: content, position: position, header: content.header(position),
      endIndex: content.rowCount(position))
  }
}

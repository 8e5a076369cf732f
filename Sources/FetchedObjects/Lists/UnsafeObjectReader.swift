@_spi(Storage) internal import EntityStore
internal import Locking

/// A reader of a list's objects in their order, in parts.
@usableFromInline class UnsafeObjectReader {
  /// Returns pointers to the next objects, or nil after the last.
  ///
  /// They are valid until the next call, and as long as the reader is held.
  @usableFromInline func next() -> UnsafeBufferPointer<UnsafeRawPointer>? {
    mistake("Each kind of list has its own reader")
  }
}

/// A reader of a result's objects.
final class UnsafeResultReader: UnsafeObjectReader {
  private let result: ResultView
  /// The sections that have not been begun.
  private var sections: Range<Int>
  /// The section that is being read, and the ranks in it that remain.
  private var tree = RankTree()
  private var ranks = 0..<0
  // No call below leads back to the reader, so its accesses need no check while it runs.
  @exclusivity(unchecked) private var batch: UnsafeObjectBatch

  /// - Precondition: the result is of `type`.
  init<E: Entity>(_ result: ResultView, of type: E.Type, in sections: Range<Int>) {
    // All rows of a result are of its query's entity, so one check is enough for all.
    precondition(
      result.plan.query.entity == E.schema.entity,
      "A snapshot of \(result.plan.query.entity.name) is read as \(E.entityName)")
    self.result = result
    self.sections = result.count > 0 ? sections : 0..<0
    let count =
      sections.count == 1 ? result.rows(ofSection: sections.lowerBound).count : result.count
    batch = UnsafeObjectBatch(
      of: result.base.table.rows, size: MemoryLayout<E>.size, expected: count)
  }

  override func next() -> UnsafeBufferPointer<UnsafeRawPointer>? {
    batch.clear()
    while batch.room > 0 {
      if ranks.isEmpty {
        guard let section = sections.popFirst() else { break }
        (tree, ranks) = (result.tree(ofSection: section), result.rows(ofSection: section))
        continue
      }
      let part = ranks.prefix(batch.room)
      batch.append(tree, part)
      ranks = part.upperBound..<ranks.upperBound
    }
    let objects = batch.objects
    return objects.isEmpty ? nil : objects
  }
}

/// A reader of the objects of any list, one by one.
final class UnsafeListReader<Row: ObjectView>: UnsafeObjectReader {
  private let content: any ListContent<Row>
  /// The sections that have not been begun.
  private var sections: Range<Int>
  /// The section that is being read, and the positions in it that remain.
  private var section: (any SectionContent<Row>)?
  private var positions = 0..<0
  /// The place of the last object, once there is one, and the pointer to it.
  private let object = UnsafeMutablePointer<Row.Object>.allocate(capacity: 1)
  private let pointer = UnsafeMutablePointer<UnsafeRawPointer>.allocate(capacity: 1)
  private var hasObject = false

  init(_ list: FetchedObjectList<Row>) {
    content = list.content
    sections = 0..<list.content.sectionCount
    pointer.initialize(to: UnsafeRawPointer(object))
  }

  deinit {
    if hasObject { object.deinitialize(count: 1) }
    object.deallocate()
    pointer.deallocate()
  }

  override func next() -> UnsafeBufferPointer<UnsafeRawPointer>? {
    while positions.isEmpty {
      guard let next = sections.popFirst() else { return nil }
      section = content.contentOfSection(next)
      positions = 0..<content.rowCount(next)
    }
    guard let section, let position = positions.popFirst() else { return nil }
    let row = section.row(position)
    if hasObject {
      object.pointee = row.value
    } else {
      object.initialize(to: row.value)
      hasObject = true
    }
    return UnsafeBufferPointer(start: pointer, count: 1)
  }
}

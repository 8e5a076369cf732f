internal import ListDiffing

/// One version of a concatenated list.
final class ConcatenatedContent<Row: Diffable & Sendable>: ListContent, DerivedVersion {
  let parts: [any ListContent<Row>]
  /// The number of sections before each part, and, as the last element, of all parts.
  private let offsets: [Int]
  let movable: MovableSections?

  init(_ parts: [any ListContent<Row>], movable: MovableSections? = nil) {
    self.parts = parts
    self.movable = movable
    offsets = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.sectionCount) }
  }

  func offset(of part: Int) -> Int { offsets[part] }

  /// Returns the list after an event of a part.
  ///
  /// - Complexity: O(*p*) where *p* is the number of parts.
  func replacing(_ part: Int, by event: ShownEvent<Row>) -> ConcatenatedContent {
    var parts = parts
    parts[part] = event.after.content
    return ConcatenatedContent(
      parts, movable: MovableSections(of: event)?.offset(by: offsets[part]))
  }

  var key: ListKey { ListKey(self) }
  var version: Int64 { parts.reduce(0) { max($0, $1.version) } }
  var count: Int { parts.reduce(0) { $0 + $1.count } }
  var isSectioned: Bool { true }
  var sectionCount: Int { offsets[parts.count] }

  private func place(_ section: Int) -> (part: Int, section: Int) {
    let part = partitionPoint(parts.count) { offsets[$0 + 1] > section }
    return (part, section - offsets[part])
  }

  func header(_ section: Int) -> ListHeader {
    let place = place(section)
    var header = parts[place.part].header(place.section)
    header.parts.insert(place.part, at: 0)
    return header
  }

  func section(_ id: SectionID) -> Int? {
    guard let part = id.parts.first, parts.indices.contains(part) else { return nil }
    let inPart = SectionID(identity: id.identity, parts: Array(id.parts.dropFirst()))
    return parts[part].section(inPart).map { $0 + offsets[part] }
  }

  func rowCount(_ section: Int) -> Int {
    let place = place(section)
    return parts[place.part].rowCount(place.section)
  }

  func row(at path: ListPath) -> Row {
    let place = place(path.section)
    return parts[place.part].row(at: ListPath(section: place.section, row: path.row))
  }

  func rows(_ section: Int) -> [Row] {
    let place = place(section)
    return parts[place.part].rows(place.section)
  }
}

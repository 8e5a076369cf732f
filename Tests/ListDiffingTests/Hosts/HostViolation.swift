import ListDiffing

/// A rule of a list view that a pass, a reload or the data broke.
///
///     HostViolation.listedTwice(.row(path(0, 3)), .old).description
///     // "Row 0.3 of the old list is in two changes."
///
/// The real views raise an exception or show the wrong thing; a simulated one says which rule it was.
enum HostViolation: Error, Hashable, Sendable {
  /// A row or a section.
  enum Place: Hashable, Sendable {
    case row(ListPath), section(Int)
  }

  /// The list that a position refers to: the one before a pass, the one after it, or, where steps follow each
  /// other, the one of the moment.
  enum Side: String, Sendable {
    case old, new, current
  }

  // Before anything is looked at.
  case emptyPass
  case dataChangedEarly(shown: [Int], data: [Int])

  // Positions.
  case outOfRange(Place, Side)
  case listedTwice(Place, Side)
  case goesNowhere(Place)
  case rowOfDeletedSection(ListPath)
  case rowOfInsertedSection(ListPath)
  case rowOfMovedSection(ListPath, Side)
  case notFlat(String)
  case copies(String)

  // Counts.
  case sectionCount(shown: Int, data: Int)
  case rowCount(section: Int, shown: Int, data: Int)

  // What is drawn.
  case anotherHeader(section: Int, shown: Row, data: Row)
  case anotherRow(ListPath, shown: Row, data: Row)
  case staleHeader(section: Int, shown: Row, data: Row)
  case staleRow(ListPath, shown: Row, data: Row)
}

extension HostViolation: CustomStringConvertible {
  var description: String {
    switch self {
    case .emptyPass:
      "A pass must hold something."
    case .dataChangedEarly(let shown, let data):
      "The data changed before the batch: \(shown) rows are shown and the data have \(data)."
    case .outOfRange(let place, let side):
      "The \(side) list has no \(place)."
    case .listedTwice(let place, let side):
      "\(place.capitalized) of the \(side) list is in two changes."
    case .goesNowhere(let place):
      "\(place.capitalized) moves to where it is."
    case .rowOfDeletedSection(let path):
      "Row \(path) is listed although its section is deleted."
    case .rowOfInsertedSection(let path):
      "Row \(path) is listed although its section is inserted."
    case .rowOfMovedSection(let path, let side):
      "Row \(path) of the \(side) list is listed although its section moves."
    case .notFlat(let step):
      "A table without sections can't \(step)."
    case .copies(let identifier):
      "The supplied identifiers are not unique: \(identifier) is there twice."
    case .sectionCount(let shown, let data):
      "The changes make \(shown) sections and the data have \(data)."
    case .rowCount(let section, let shown, let data):
      "The changes make \(shown) rows in section \(section) and the data have \(data)."
    case .anotherHeader(let section, let shown, let data):
      "Section \(section) shows another header than the data: \(shown) instead of \(data)."
    case .anotherRow(let path, let shown, let data):
      "Row \(path) shows another row than the data: \(shown) instead of \(data)."
    case .staleHeader(let section, let shown, let data):
      "The header of section \(section) is stale: \(shown) instead of \(data)."
    case .staleRow(let path, let shown, let data):
      "Row \(path) is stale: \(shown) instead of \(data)."
    }
  }
}

extension HostViolation.Place: CustomStringConvertible {
  var description: String {
    switch self {
    case .row(let path): "row \(path)"
    case .section(let section): "section \(section)"
    }
  }

  fileprivate var capitalized: String {
    description.prefix(1).uppercased() + description.dropFirst()
  }
}

// The target of libFuzzer: bytes become lists and changes, which have to keep the promises of
// ListDiffing. `.ci/fuzz` compiles it together with the sources.

/// Tries one input; a broken promise traps.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  var bytes = FuzzBytes(UnsafeBufferPointer(start: start, count: count))
  switch bytes.next(below: 5) {
  case 0: fuzzFlat(&bytes) { Int($0) }
  case 1: fuzzFlat(&bytes) { FuzzTexts.all[Int($0) % FuzzTexts.all.count] }
  case 2: fuzzFlat(&bytes) { FuzzPair(first: UInt64($0 / 16), second: UInt64($0 % 16)) }
  case 3: fuzzSections(&bytes)
  default: fuzzChanges(&bytes)
  }
  return 0
}

/// The input, read from front to back; zeros follow.
struct FuzzBytes {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  var isEmpty: Bool { position >= bytes.count }

  mutating func next() -> UInt8 {
    guard !isEmpty else { return 0 }
    position += 1
    return bytes[position - 1]
  }

  mutating func next(below bound: Int) -> Int { Int(next()) % bound }

  /// Bytes up to a 255, at most so many.
  mutating func run(upTo count: Int) -> [UInt8] {
    var run: [UInt8] = []
    while !isEmpty, run.count < count {
      let byte = next()
      if byte == 255 { break }
      run.append(byte)
    }
    return run
  }
}

/// Texts of which some are equal though written differently.
enum FuzzTexts {
  static let all =
    ["K", "\u{212A}", ";", "\u{37E}", "\u{E9}", "e\u{301}", "", "a text beyond what is small"]
    + (0..<24).map { "text \($0)" }
}

struct FuzzPair: BitwiseIdentifier {
  var first: UInt64
  var second: UInt64
}

/// A row: its identifier, and a version of its content.
struct FuzzRow<Identifier: Hashable & Sendable>: Diffable, Equatable {
  var diffIdentifier: Identifier
  var version: UInt8
}

func require(_ condition: Bool, _ sentence: @autoclosure () -> String) {
  precondition(condition, sentence())
}

/// Two flat lists; the second is edited from the first or its own.
func fuzzFlat<Identifier: Hashable & Sendable>(
  _ bytes: inout FuzzBytes, _ identifier: (UInt8) -> Identifier
) {
  typealias Row = FuzzRow<Identifier>
  func rows(_ run: [UInt8]) -> [Row] {
    run.map { Row(diffIdentifier: identifier($0 & 0x7F), version: $0 >> 7) }
  }
  let isEdited = bytes.next(below: 2) == 0
  let old = rows(bytes.run(upTo: 300))
  var new = isEdited ? old : rows(bytes.run(upTo: 300))
  while !bytes.isEmpty {
    let place = bytes.next(below: 256)
    let byte = bytes.next()
    if place % 3 == 0 || new.isEmpty {
      new.insert(rows([byte])[0], at: place % (new.count + 1))
    } else if place % 3 == 1 {
      new.remove(at: place % new.count)
    } else {
      new.insert(new.remove(at: place % new.count), at: Int(byte) % (new.count + 1))
    }
  }

  let diff = ListDiff(from: old, to: new)
  do {
    try diff.changes.validate(old: [old.count], new: [new.count])
  } catch {
    preconditionFailure("\(error)")
  }
  var list = old
  diff.changes.apply(to: &list) { new[$0.row] }
  require(list == new, "The changes don't lead to the new list")
  diff.changes.inverted.apply(to: &list) { old[$0.row] }
  require(list == old, "The inverted changes don't lead back")
  let section = { [ListSection(header: 0, rows: $0 as [Row])] }
  fuzzPresentations(diff.changes, from: section(old), to: section(new))

  // As many as possible are matched, and copies in order.
  let matched = old.count - diff.changes.deletes.count
  var counts: [Identifier: Int] = [:]
  for row in old { counts[row.diffIdentifier, default: 0] += 1 }
  var shared = 0
  for row in new {
    if let count = counts[row.diffIdentifier], count > 0 {
      shared += 1
      counts[row.diffIdentifier] = count - 1
    }
  }
  require(matched == shared, "\(matched) rows are matched, and \(shared) could be")
}

/// Two lists with sections.
func fuzzSections(_ bytes: inout FuzzBytes) {
  typealias Row = FuzzRow<UInt8>
  func list(_ bytes: inout FuzzBytes) -> [ListSection<Row, Row>] {
    (0..<bytes.next(below: 7)).map { _ in
      let header = bytes.next()
      return ListSection(
        header: Row(diffIdentifier: header & 7, version: header >> 7),
        rows: bytes.run(upTo: 40).map { Row(diffIdentifier: $0 & 0x3F, version: $0 >> 7) })
    }
  }
  let old = list(&bytes)
  let new = list(&bytes)
  let changes = SectionedListDiff(from: old, to: new).changes
  do {
    try changes.validate(old: old.map(\.rows.count), new: new.map(\.rows.count))
  } catch {
    preconditionFailure("\(error)")
  }
  var result = old
  changes.apply(to: &result, header: { new[$0].header }) { new[$0] }
  require(result == new, "The changes don't lead to the new list")
  changes.inverted.apply(to: &result, header: { old[$0].header }) { old[$0] }
  require(result == old, "The inverted changes don't lead back")
  fuzzPresentations(changes, from: old, to: new)
}

/// Shows changes in each style, step by step, and compares what is drawn.
func fuzzPresentations<Header: Equatable, Row: Equatable>(
  _ changes: ListChanges, from old: [ListSection<Header, Row>], to new: [ListSection<Header, Row>]
) {
  for style in ListPresentation.Style.allCases {
    let shown = ListPresentation(of: changes, sectionCount: old.count, style: style)
    var drawn = old
    for (pass, list) in zip(shown.passes, shown.lists(from: old, to: new)) {
      for step in pass.steps {
        switch step {
        case .deleteSection(let section): drawn.remove(at: section)
        case .insertSection(let section): drawn.insert(list[section], at: section)
        case .moveSection(let from, let to): drawn.insert(drawn.remove(at: from), at: to)
        case .deleteRow(let path): drawn[path.section].rows.remove(at: path.row)
        case .insertRow(let path): drawn[path.section].rows.insert(list[path], at: path.row)
        case .moveRow(let from, let to):
          let row = drawn[from.section].rows.remove(at: from.row)
          drawn[to.section].rows.insert(row, at: to.row)
        }
      }
      require(
        drawn.map(\.rows.count) == list.map(\.rows.count), "A pass ends with other counts: \(pass)")
    }
    for path in shown.reloadedRows { drawn[path.section].rows[path.row] = new[path] }
    for section in shown.reloadedHeaders { drawn[section].header = new[section].header }
    require(drawn == new, "Shown as \(style) the list is another: \(changes)")
  }
}

/// Changes of any kind and a list of any shape: what is valid is applied, what isn't throws and
/// harms nobody.
func fuzzChanges(_ bytes: inout FuzzBytes) {
  func position(_ bytes: inout FuzzBytes) -> Int { bytes.next(below: 8) - 1 }
  func path(_ bytes: inout FuzzBytes) -> ListPath {
    let byte = bytes.next()
    return ListPath(section: Int(byte >> 5) - 1, row: Int(byte & 31) - 1)
  }
  func parts<Part>(_ bytes: inout FuzzBytes, _ make: (inout FuzzBytes) -> Part) -> [Part] {
    (0..<bytes.next(below: 5)).map { _ in make(&bytes) }
  }
  func sectionChange(_ bytes: inout FuzzBytes) -> PositionChange<Int> {
    PositionChange(old: position(&bytes), new: position(&bytes))
  }
  func rowChange(_ bytes: inout FuzzBytes) -> PositionChange<ListPath> {
    PositionChange(old: path(&bytes), new: path(&bytes))
  }
  let shape = (0..<bytes.next(below: 5)).map { _ in bytes.next(below: 30) }
  let changes = ListChanges(
    deletedSections: parts(&bytes, position), insertedSections: parts(&bytes, position),
    movedSections: parts(&bytes, sectionChange), updatedSections: parts(&bytes, sectionChange),
    deletes: parts(&bytes, path), inserts: parts(&bytes, path),
    moves: parts(&bytes, rowChange), updates: parts(&bytes, rowChange))
  let old = shape.enumerated().map { section, count in
    ListSection(header: -section, rows: (0..<count).map { ListPath(section: section, row: $0) })
  }
  var list = old
  do {
    try changes.applyIfValid(to: &list, header: { $0 + 1 }, row: { $0.offset(sections: 100) })
  } catch {
    require(error is ListChangesError && !"\(error)".isEmpty, "\(error)")
    require(list == old, "A list was changed by what doesn't fit it")
    return
  }
  do {
    try changes.validate(old: shape, new: list.map(\.rows.count))
  } catch {
    preconditionFailure("What was applied is refused: \(error)")
  }
  fuzzPresentations(changes, from: old, to: list)
}

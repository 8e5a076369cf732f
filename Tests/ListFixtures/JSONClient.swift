package import Foundation

/// A client in another language, in all but name: it knows the guide, JSON and rule D2, and nothing of the
/// library.
package struct JSONClient {
  package struct Row: Equatable {
    package var hash: UInt64
    package var content: String

    package init(hash: UInt64, content: String) { (self.hash, self.content) = (hash, content) }
  }

  package struct Section: Equatable {
    package var title: String
    package var hash: UInt64
    package var rows: [Row]

    package init(title: String, hash: UInt64, rows: [Row]) {
      (self.title, self.hash, self.rows) = (title, hash, rows)
    }
  }

  package enum Failure: Error, Equatable {
    case otherList
    case wrongSum
    case missingPart
    case misfit
  }

  package private(set) var sections: [Section] = []
  package private(set) var cursor: String?
  /// Who it is.
  package var name: String

  package init(name: String = "") { self.name = name }

  /// The check sum of what it has.
  package var sum: UInt64 {
    var sum: UInt64 = 0
    for section in sections {
      sum = sum &* 6_364_136_223_846_793_005 &+ section.hash
      for row in section.rows { sum = sum &* 6_364_136_223_846_793_005 &+ row.hash }
    }
    return sum
  }

  /// Puts the check sum of what it has in its cursor.
  package mutating func admitList() { cursor = cursor.map { $0.dropLast(16) + hexadecimal(sum) } }

  /// Brings it up to date, and says what kind of page it was.
  package mutating func apply(_ text: Data) throws -> String {
    guard let page = try JSONSerialization.jsonObject(with: text) as? [String: Any],
      let next = page["cursor"] as? String, let kind = page["kind"] as? String
    else { throw Failure.missingPart }
    var copy = self
    switch kind {
    case "reset":
      copy.sections = try objects(page["sections"]).map {
        var section = try Self.section($0)
        section.rows = try objects($0["rows"]).map(Self.row)
        return section
      }
    case "changes":
      guard page["after"] as? String == cursor else { throw Failure.otherList }
      try copy.apply(page)
    default: break
    }
    guard hexadecimal(copy.sum) == next.suffix(16) else { throw Failure.wrongSum }
    copy.cursor = next
    self = copy
    return kind
  }

  /// Rule D2, step by step.
  private mutating func apply(_ page: [String: Any]) throws {
    let changes = page["changes"] as? [String: Any] ?? [:]
    var heads: [Int: Section] = [:]
    for section in objects(page["sections"]) {
      heads[number(section["position"])] = try Self.section(section)
    }
    var fresh: [Path: Row] = [:]
    for row in objects(page["rows"]) { fresh[Path(row["path"])] = try Self.row(row) }

    let moves = objects(changes["moves"]).map { (old: Path($0["old"]), new: Path($0["new"])) }
    let movedSections = objects(changes["movedSections"]).map {
      (old: number($0["old"]), new: number($0["new"]))
    }
    for update in objects(changes["updates"]) {
      let old = Path(update["old"])
      try checkRow(old)
      sections[old.section].rows[old.row] = try need(fresh[Path(update["new"])])
    }
    for update in objects(changes["updatedSections"]) {
      let head = try need(heads[number(update["new"])])
      let old = number(update["old"])
      guard sections.indices.contains(old) else { throw Failure.misfit }
      sections[old].title = head.title
      sections[old].hash = head.hash
    }
    let removed = objects(changes["deletes"]).map { Path($0) } + moves.map(\.old)
    for path in removed.sorted().reversed() {
      try checkRow(path)
      sections[path.section].rows.remove(at: path.row)
    }
    var arriving: [Int: Section] = [:]
    for move in movedSections {
      guard sections.indices.contains(move.old) else { throw Failure.misfit }
      var section = try need(heads[move.new])
      section.rows = sections[move.old].rows
      arriving[move.new] = section
    }
    for position in numbers(changes["insertedSections"]) {
      arriving[position] = try need(heads[position])
    }
    let gone = numbers(changes["deletedSections"]) + movedSections.map(\.old)
    for position in gone.sorted().reversed() {
      guard sections.indices.contains(position) else { throw Failure.misfit }
      sections.remove(at: position)
    }
    for (position, section) in arriving.sorted(by: { $0.key < $1.key }) {
      guard position <= sections.count else { throw Failure.misfit }
      sections.insert(section, at: position)
    }
    let added = objects(changes["inserts"]).map { Path($0) } + moves.map(\.new)
    for path in added.sorted() {
      guard sections.indices.contains(path.section), path.row <= sections[path.section].rows.count
      else { throw Failure.misfit }
      sections[path.section].rows.insert(try need(fresh[path]), at: path.row)
    }
  }

  private func checkRow(_ path: Path) throws {
    guard sections.indices.contains(path.section),
      sections[path.section].rows.indices.contains(path.row)
    else { throw Failure.misfit }
  }

  private struct Path: Hashable, Comparable {
    var section: Int
    var row: Int

    init(_ json: Any?) {
      let json = json as? [String: Any] ?? [:]
      section = number(json["section"])
      row = number(json["row"])
    }

    static func < (a: Path, b: Path) -> Bool { (a.section, a.row) < (b.section, b.row) }
  }

  private static func section(_ json: [String: Any]) throws -> Section {
    Section(title: try need(json["title"] as? String), hash: try hash(json), rows: [])
  }

  private static func row(_ json: [String: Any]) throws -> Row {
    let content = try need(json["content"] as? [String: Any])
    let values = content.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    return Row(hash: try hash(json), content: values.joined(separator: ", "))
  }

  private static func hash(_ json: [String: Any]) throws -> UInt64 {
    try need((json["hash"] as? String).flatMap { UInt64($0, radix: 16) })
  }

  // MARK: Going wrong

  /// Loses a row, or a section, or puts two rows in another order; says whether it could.
  package mutating func goWrong(_ random: inout some RandomNumberGenerator) -> Bool {
    guard let section = sections.indices.randomElement(using: &random) else { return false }
    let count = sections[section].rows.count
    switch Int.random(in: 0..<3, using: &random) {
    case 0 where count > 0:
      sections[section].rows.remove(at: Int.random(in: 0..<count, using: &random))
    case 1 where count > 1: sections[section].rows.swapAt(0, count - 1)
    default: sections.remove(at: section)
    }
    return true
  }
}

private func need<Value>(_ value: Value?) throws -> Value {
  guard let value else { throw JSONClient.Failure.missingPart }
  return value
}

private func objects(_ json: Any?) -> [[String: Any]] { json as? [[String: Any]] ?? [] }

private func number(_ json: Any?) -> Int { (json as? NSNumber)?.intValue ?? -1 }

private func numbers(_ json: Any?) -> [Int] { (json as? [NSNumber] ?? []).map(\.intValue) }

private func hexadecimal(_ number: UInt64) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

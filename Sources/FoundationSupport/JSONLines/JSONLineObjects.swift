@_spi(Storage) internal import EntityStore
internal import Foundation

/// A decoder that turns the lines of an export into objects.
struct JSONLineObjects {
  private let entities: [EntityDescription]
  /// The entities, by the bytes of the names that the file uses for them.
  private var named: [[UInt8]: EntityDescription]
  /// The expected number of objects of each entity, once the header has been read.
  private var expected: [String: Int64]?
  private var found: [String: Int64] = [:]
  private var lastLine = 0
  /// The last line that an earlier schema has written.
  private var earlier: JSONLineDecoder.Earlier?
  private let limits: JSONLines.Limits

  init(_ entities: some Sequence<EntityDescription>, limits: JSONLines.Limits) {
    self.limits = limits
    self.entities = entities.sorted { TextBytes.compare($0.name, $1.name) < 0 }
    named = Dictionary(uniqueKeysWithValues: self.entities.map { (Array($0.name.utf8), $0) })
  }

  /// The expected number of objects, once the header has been read.
  private(set) var total: Int?

  /// Returns the object of a line, or nil for the header.
  mutating func row(_ line: Int, _ bytes: [UInt8]) throws -> NumberedRow? {
    lastLine = line
    let value = try JSONReader.value(of: line, bytes, limits: limits)
    guard case .object(let members) = value else {
      throw JSONLinesError(
        line, expected == nil ? .noHeader : .malformed("this is \(value.words), and no object"))
    }
    guard expected != nil else {
      let counts = try header(members, line)
      total = try sum(counts, line)
      expected = counts
      return nil
    }
    return NumberedRow(line: line, row: try object(members, line))
  }

  /// Checks that the file has as many objects as the header states.
  func checkCounts() throws {
    guard let expected else { throw JSONLinesError(1, .noHeader) }
    for name in Set(expected.keys).union(found.keys).sorted() {
      let (wanted, got) = (expected[name] ?? 0, found[name] ?? 0)
      guard wanted == got else {
        throw JSONLinesError(lastLine, .wrongCount(entity: name, expected: wanted, found: got))
      }
    }
  }

  // MARK: The header

  private mutating func header(_ members: [JSONMember], _ line: Int) throws
    -> [String: Int64]
  {
    func value(_ key: String) -> JSONValue? {
      members.first { TextBytes.equal($0.key, key) }?.value
    }
    guard case .text(JSONLinesFormat.name) = value("format"),
      case .number(let text) = value("version"), let version = Int64(text)
    else { throw JSONLinesError(line, .noHeader) }
    guard version <= JSONLinesFormat.version else {
      throw JSONLinesError(line, .newerFormat(version))
    }
    guard case .list(let list) = value("entities") else { throw JSONLinesError(line, .noHeader) }
    var counts: [String: Int64] = [:]
    var names: [String] = []
    for item in list {
      guard case .object(let members) = item,
        case .text(let name) = members.first(where: { $0.key == "name" })?.value,
        case .number(let text) = members.first(where: { $0.key == "count" })?.value,
        let count = Int64(text), count >= 0, counts.updateValue(count, forKey: name) == nil
      else { throw JSONLinesError(line, .noHeader) }
      names.append(name)
    }
    try follow(names, line)
    return counts
  }

  /// Finds the entity for each name in the file.
  private mutating func follow(_ names: [String], _ line: Int) throws {
    if entities.contains(where: { !$0.formerNames.isEmpty }) {
      let today = named
      let renames = try Renames.exactPlan(
        entities.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) }, present: names
      ) { name, candidates in
        throw JSONLinesError(line, .ambiguousEntity(name, candidates: candidates.map(\.name)))
      }
      for rename in renames { named[Array(rename.from.utf8)] = today[Array(rename.to.utf8)] }
    }
    for name in names where entity(named: name) == nil {
      throw JSONLinesError(line, .unknownEntity(name))
    }
  }

  private func sum(_ counts: [String: Int64], _ line: Int) throws -> Int {
    var total = 0
    for count in counts.values {
      let (sum, overflows) = total.addingReportingOverflow(Int(clamping: count))
      guard !overflows, Int(exactly: count) != nil else {
        throw JSONLinesError(
          line, .malformed("the header says that there are more objects than can be counted"))
      }
      total = sum
    }
    return total
  }

  private func entity(named name: String) -> EntityDescription? { named[Array(name.utf8)] }

  // MARK: Objects

  private mutating func object(_ members: [JSONMember], _ line: Int) throws
    -> EntityRow
  {
    var name: String?
    var values: [JSONMember]?
    for member in members {
      switch (member.key, member.value) {
      case ("entity", .text(let text)): name = text
      case ("values", .object(let members)): values = members
      default:
        throw JSONLinesError(
          line,
          .malformed(
            "an object has \"entity\", its name, and \"values\", an object; here "
              + "\(StoredValue.text(member.key).brief) is \(member.value.words)"
          )
        )
      }
    }
    guard let name, let values else {
      throw JSONLinesError(
        line, .malformed("an object has \"entity\" and \"values\", and one of them is missing"))
    }
    guard let entity = entity(named: name) else { throw JSONLinesError(line, .unknownEntity(name)) }
    found[name, default: 0] += 1
    let stored = try JSONLineDecoder(entity: entity, line: line).values(values, &earlier)
    do {
      return try entity.row(stored)
    } catch let error as StoreError {
      throw JSONLinesError(line, .refused(error))
    }
  }
}

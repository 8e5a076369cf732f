@_spi(Storage) internal import EntityStore
internal import Foundation

/// A decoder that turns the values of one line into stored forms.
struct JSONLineDecoder {
  /// The keys of a line that an earlier schema has written, and the attributes' positions in it.
  typealias Earlier = (entity: EntityDescription, keys: [String], places: [Int?])

  let entity: EntityDescription
  let line: Int

  /// Returns the stored forms of all attributes; a missing one has its default.
  ///
  /// `last` is the last line of an earlier schema. Mostly the next one has the same keys.
  func values(_ members: [JSONMember], _ last: inout Earlier?) throws -> [StoredValue] {
    try zip(places(members, &last), entity.columns).map { place, column in
      if let place { return try stored(members[place].value, column) }
      guard let value = column.defaultValue ?? (column.isOptional ? .null : nil) else {
        throw JSONLinesError(line, .missingAttribute(column.name, entity: entity.name))
      }
      return value
    }
  }

  /// Returns the position of each attribute's value, or nil if it is missing.
  private func places(_ members: [JSONMember], _ last: inout Earlier?) throws -> [Int?] {
    var places = [Int?](repeating: nil, count: entity.columns.count)
    var isOfToday = true
    for (place, member) in members.enumerated() {
      if let column = entity.column(named: member.key) {
        places[column] = place
      } else {
        isOfToday = false
      }
    }
    if isOfToday && (members.count == places.count || !entity.hasFormerColumns) { return places }
    let keys = members.map(\.key)
    if let last, last.entity == entity, last.keys.elementsEqual(keys, by: TextBytes.equal) {
      return last.places
    }
    // Only one attribute of an entity has had the name.
    let renames = Renames.exactPlan(
      entity.columns.map { Renames.Named(name: $0.name, formerNames: $0.formerNames) },
      present: keys
    ) { $1.first }
    let names = Dictionary(uniqueKeysWithValues: renames.map { (ExactText($0.from), $0.to) })
    places = Array(repeating: nil, count: places.count)
    var others: [Int] = []
    for (place, member) in members.enumerated() {
      if let column = entity.column(named: names[ExactText(member.key)] ?? member.key) {
        places[column] = place
      } else if !entity.droppedNames.contains(where: { TextBytes.equal($0, member.key) }) {
        others.append(place)
      }
    }
    for place in others {
      let key = members[place].key
      guard let column = column(inOtherLetters: key), places[column] == nil else {
        throw JSONLinesError(line, .unknownAttribute(key, entity: entity.name))
      }
      places[column] = place
    }
    last = (entity, keys, places)
    return places
  }

  /// Returns the attribute whose name differs from `name` in the case of ASCII letters, or nil.
  ///
  /// It is nil, too, if the name is a former one of some attribute, in whatever letters.
  private func column(inOtherLetters name: String) -> Int? {
    let folded = FoldedName(name)
    let isFormer = entity.columns.contains { column in
      column.formerNames.contains { FoldedName($0) == folded }
    }
    return isFormer ? nil : entity.columns.firstIndex { FoldedName($0.name) == folded }
  }

  private func stored(_ value: JSONValue, _ column: Column) throws -> StoredValue {
    if case .null = value {
      if column.isOptional { return .null }
      // The attribute was optional before.
      if let value = column.defaultValue { return value }
    }
    guard column.type == .list else {
      guard let stored = Self.scalar(value, column.type) else {
        throw wrong(value, column.name, Self.words(column.type))
      }
      return stored
    }
    let parts = column.partsOfID
    let names = parts.map { "\"\($0.name)\"" }.joined(separator: ", ")
    guard case .object(let members) = value, members.count == parts.count else {
      throw wrong(value, column.name, "an object of \(names)")
    }
    return .list(
      try parts.map { part in
        guard
          let member = members.first(where: { TextBytes.equal($0.key, part.name) })
            ?? members.first(where: { FoldedName($0.key) == FoldedName(part.name) })
        else {
          throw wrong(value, column.name, "an object of \(names)")
        }
        guard let stored = Self.scalar(member.value, part.type) else {
          throw wrong(member.value, "\(column.name).\(part.name)", Self.words(part.type))
        }
        return stored
      })
  }

  private func wrong(_ value: JSONValue, _ name: String, _ expected: String) -> JSONLinesError {
    JSONLinesError(
      line,
      .wrongValue(attribute: name, entity: entity.name, expected: expected, found: value.words))
  }

  /// Returns the stored form of a value, or nil if it isn't one of the type.
  private static func scalar(_ value: JSONValue, _ type: StoredType) -> StoredValue? {
    switch (type, value) {
    case (.integer, .number(let text)): Int64(text).map { .integer($0) }
    case (.integer, .bool(let truth)): .integer(truth ? 1 : 0)
    case (.real, .number(let text)):
      Double(text).flatMap { $0.isFinite ? .real($0 == 0 ? 0 : $0) : nil }
    case (.real, .text(JSONLinesFormat.infinity)): .real(.infinity)
    case (.real, .text(JSONLinesFormat.negativeInfinity)): .real(-.infinity)
    case (.text, .text(let text)): .text(text)
    case (.bytes, .text(let text)): Data(base64Encoded: text).map { .bytes(Array($0)) }
    default: nil
    }
  }

  private static func words(_ type: StoredType) -> String {
    switch type {
    case .integer: "a whole number of 64 bits"
    case .real: "a number, \"Infinity\" or \"-Infinity\""
    case .text: "text"
    case .bytes: "bytes in base64"
    case .list: "an object"
    }
  }
}

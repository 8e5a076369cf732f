internal import EntityStore
internal import Foundation

/// Turns the values of one line into stored forms.
struct JSONLineDecoder {
  let entity: EntityDescription
  let line: Int

  /// The stored forms of all attributes; one that isn't there has its default.
  func values(_ members: [JSONMember]) throws -> [StoredValue] {
    var values = [StoredValue?](repeating: nil, count: entity.columns.count)
    for member in members {
      guard let column = entity.column(named: member.key) else {
        throw JSONLinesError(line, .unknownAttribute(member.key, entity: entity.name))
      }
      values[column] = try stored(member.value, entity.columns[column])
    }
    return try zip(values, entity.columns).map { value, column in
      guard let value = value ?? column.defaultValue ?? (column.isOptional ? .null : nil) else {
        throw JSONLinesError(line, .missingAttribute(column.name, entity: entity.name))
      }
      return value
    }
  }

  private func stored(_ value: JSONValue, _ column: Column) throws -> StoredValue {
    if case .null = value, column.isOptional { return .null }
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
        guard let member = members.first(where: { TextBytes.equal($0.key, part.name) }) else {
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

  /// The stored form of a value, or nil if it is none of the type.
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

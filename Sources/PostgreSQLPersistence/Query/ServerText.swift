#if PostgreSQL
@_spi(Storage) internal import EntityStore

extension SQL {
  /// Returns a name as a text in quotes that the server reads alike with any setting.
  static func escapedLiteral(_ name: String) -> String {
    if !name.utf8.contains(UInt8(ascii: "\\")) { return literal(name) }
    var escaped = "".unicodeScalars
    for scalar in name.unicodeScalars {
      if scalar == "\\" { escaped.append(scalar) }
      escaped.append(scalar)
    }
    return "E" + literal(String(escaped))
  }
}

/// A check of texts and bytes, since the server's texts can't have a NUL, and the values of an
/// object have less than a gigabyte together.
///
/// A NUL is an error of the object, like a check of its schema: a client may have sent it.
enum ServerText {
  /// The number of bytes that the values of an object don't reach.
  ///
  /// A message and a row of the server have less than a gigabyte, with some bytes for each column.
  private static let limit = (1 << 30) - (1 << 16)

  /// Throws if the server can't have a value of an object that is written.
  ///
  /// - Throws: ``/EntityStore/StoreError/checkFailed(_:check:)`` for a NUL,
  ///   ``/EntityStore/StoreError/storage(_:)`` for values that are too long.
  static func check(_ changes: NetChanges, limit: Int = limit) throws {
    for table in changes.tables {
      let entity = table.entity
      let texts = entity.columns.indices.filter { entity.columns[$0].type != .integer }
      if texts.isEmpty { continue }
      func name(_ index: Int) -> String { "\(entity.name).\(entity.columns[index].name)" }
      for change in table.all {
        guard let row = change.new else { continue }
        var size = 0
        for index in texts {
          let value = row.value(at: index)
          size += self.size(of: value)
          if size >= limit {
            throw StoreError.fault(
              .other,
              "\(name(index)): a value in PostgreSQL has less than \(limit) bytes, and so have all "
                + "values of an object together; store it in several objects")
          }
          if hasNUL(value) {
            throw StoreError.checkFailed(
              ObjectID(entityName: entity.name, id: change.id),
              check: "\(name(index)) has no character U+0000")
          }
        }
      }
    }
  }

  static func canHave(_ value: StoredValue) -> Bool { !isTooLong(value) && !hasNUL(value) }

  static func isTooLong(_ value: StoredValue) -> Bool { size(of: value) >= limit }

  private static func size(of value: StoredValue) -> Int {
    switch value {
    case .text(let text): text.utf8.count
    case .bytes(let bytes): bytes.count
    case .list(let parts): parts.reduce(0) { $0 + size(of: $1) }
    default: 0
    }
  }

  static func hasNUL(_ value: StoredValue) -> Bool {
    switch value {
    case .text(let text): text.utf8.contains(0)
    case .list(let parts): parts.contains(where: hasNUL)
    default: false
    }
  }
}
#endif

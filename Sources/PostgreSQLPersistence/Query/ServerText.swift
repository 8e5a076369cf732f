#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// A check of texts and bytes, since the server's texts can't have a NUL, and its values have less
/// than a gigabyte.
///
/// A NUL is an error of the object, like a check of its schema: a client may have sent it.
enum ServerText {
  /// The number of bytes that no value of the server has.
  private static let limit = 1 << 30

  /// Throws if the server can't have a value of an object that is written.
  ///
  /// - Throws: ``/EntityStore/StoreError/checkFailed(_:check:)`` for a NUL,
  ///   ``/EntityStore/StoreError/storage(_:)`` for a value that is too long.
  static func check(_ changes: NetChanges, limit: Int = limit) throws {
    for table in changes.tables {
      let entity = table.entity
      let texts = entity.columns.indices.filter { entity.columns[$0].type != .integer }
      if texts.isEmpty { continue }
      func name(_ index: Int) -> String { "\(entity.name).\(entity.columns[index].name)" }
      for change in table.all {
        guard let row = change.new else { continue }
        for index in texts {
          let value = row.value(at: index)
          if isTooLong(value, limit) {
            throw StoreError.fault(
              .other,
              "\(name(index)): a value in PostgreSQL has less than \(limit) bytes; store it in several objects"
            )
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

  static func isTooLong(_ value: StoredValue, _ limit: Int = limit) -> Bool {
    switch value {
    case .text(let text): text.utf8.count >= limit
    case .bytes(let bytes): bytes.count >= limit
    case .list(let parts): parts.contains { isTooLong($0, limit) }
    default: false
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

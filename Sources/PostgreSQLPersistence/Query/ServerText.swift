#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// A check of texts and bytes, since the server's texts can't have a NUL, and its values have less
/// than a gigabyte.
enum ServerText {
  /// The number of bytes that no value of the server has.
  private static let limit = 1 << 30

  static func check(_ changes: NetChanges, limit: Int = limit) throws {
    for table in changes.tables {
      let texts = table.entity.columns.indices.filter { table.entity.columns[$0].type != .integer }
      if texts.isEmpty { continue }
      for change in table.all {
        guard let row = change.new else { continue }
        for index in texts {
          let value = row.value(at: index)
          let fault: String
          if isTooLong(value, limit) {
            fault =
              "a value in PostgreSQL has less than \(limit) bytes; store it in several objects"
          } else if hasNUL(value) {
            fault =
              "a text in PostgreSQL can't have the character U+0000; remove it, or store bytes"
          } else {
            continue
          }
          let name = "\(table.entity.name).\(table.entity.columns[index].name)"
          throw StoreError.storage(StorageFault(.other, "\(name): \(fault)"))
        }
      }
    }
  }

  /// Returns true if the server may have a value: it isn't too long, and has no NUL.
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

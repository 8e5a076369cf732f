#if PostgreSQL
@_spi(Storage) internal import EntityStore

/// A check of texts, since the server's can't have a NUL.
enum ServerText {
  static func check(_ changes: NetChanges) throws {
    for table in changes.tables {
      let texts = table.entity.columns.indices.filter { table.entity.columns[$0].type != .integer }
      if texts.isEmpty { continue }
      for change in table.all {
        guard let row = change.new else { continue }
        for index in texts where hasNUL(row.value(at: index)) {
          throw StoreError.storage(
            StorageFault(
              .other,
              "\(table.entity.name).\(table.entity.columns[index].name): a text in PostgreSQL can't have the "
                + "character U+0000; remove it, or store bytes"))
        }
      }
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

import EntityStore

/// The object that the store's benchmarks keep: a name to sort by, and a number to change.
struct Item: Entity, Equatable {
  let id: Int
  var name: String
  var number: Int
  static let attributes = Attributes(
    .id(\Item.id), .attribute("name", \.name), .attribute("number", \.number))
  static let schema = Schema(attributes, Item.init)

  /// Names of 12 letters in no order.
  static func name(_ index: Int) -> String {
    var state = UInt64(truncatingIfNeeded: index) &* 0x9E37_79B9_7F4A_7C15
    state ^= state >> 29
    var letters: [UInt8] = []
    for _ in 0..<12 {
      letters.append(97 + UInt8(state % 26))
      state /= 26
    }
    return String(decoding: letters, as: UTF8.self)
  }

  static func many(_ count: Int) -> [Item] {
    (0..<count).map { Item(id: $0, name: name($0), number: $0) }
  }
}

extension Store {
  /// A store in memory with so many items.
  static func items(_ count: Int, hooks: (any StoreHooks)? = nil) throws -> Store {
    let store = try Store(.inMemory, entities: [Item.self], hooks: hooks)
    try store.commit { draft in for item in Item.many(count) { try draft.insert(item) } }
    return store
  }
}

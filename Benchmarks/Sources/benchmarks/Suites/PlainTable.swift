/// Items by id under a lock: what an app has without a store.
final class PlainTable: @unchecked Sendable {
  // @unchecked: `items` is under `lock`.
  private let lock = PlainLock()
  private var items: [Int: Item] = [:]

  init(_ count: Int) {
    items = Dictionary(uniqueKeysWithValues: Item.many(count).map { ($0.id, $0) })
  }

  init() {}

  func find(_ id: Int) -> Item? { lock.withLock { items[id] } }

  func insert(_ item: Item) { lock.withLock { items[item.id] = item } }

  func update(_ id: Int, _ body: (inout Item) -> Void) {
    lock.withLock {
      guard var item = items[id] else { return }
      body(&item)
      items[id] = item
    }
  }

  func update(_ ids: Range<Int>, _ body: (inout Item) -> Void) {
    lock.withLock {
      for id in ids {
        guard var item = items[id] else { continue }
        body(&item)
        items[id] = item
      }
    }
  }
}

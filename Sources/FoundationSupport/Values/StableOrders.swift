/// The orders of the sets and dictionaries in a value that is being encoded.
///
/// Each collection sorts its elements by their JSON, for which it encodes each of them with
/// everything in it. The orders that are found then are used again when the element is encoded in
/// its place. Otherwise each level of nested sets would double the work.
final class StableOrders {
  /// An element, and the orders of the collections in its key as they come, if they aren't expected
  /// already.
  typealias Part<Element> = (element: Element, orders: [Any]?)

  /// The orders of the collections so far, each an array of keys.
  private var found: [Any] = []
  /// The orders of the next collections, the last one first.
  private var expected: [Any] = []

  /// Returns the elements of a set or a dictionary in the order of their keys' JSON.
  ///
  /// `find` returns the element with a key, with this instance of the key.
  func order<Elements: Collection, Key: Encodable>(
    of elements: Elements, by key: (Elements.Element) -> Key, find: (Key) -> Elements.Element?
  ) throws -> [Part<Elements.Element>] {
    if let known = expected.popLast() as? [Key], known.count == elements.count {
      let parts = known.compactMap(find).map { Part(element: $0, orders: nil) }
      // A custom `encode(to:)` may encode other collections the second time.
      if parts.count == known.count {
        found.append(known)
        return parts
      }
    }
    expected = []
    let parts = try elements.map { element in
      let orders = StableOrders()
      let text = try Array(StableJSON.encoded(key(element), orders).utf8)
      return (text: text, part: Part(element: element, orders: orders.found))
    }
    let sorted = parts.sorted { $0.text.lexicographicallyPrecedes($1.text) }.map(\.part)
    found.append(sorted.map { key($0.element) })
    return sorted
  }

  /// Sets the orders of the collections in the element that is encoded next.
  func expect(_ orders: [Any]?) {
    if let orders { expected = orders.reversed() }
  }
}

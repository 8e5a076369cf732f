/// An identifier with a number that distinguishes it from its copies.
///
///     let items = ListItem.numbering(["tea", "milk", "tea"])
///     print(items)  // [tea, milk, tea (copy 1)]
///     Set(items).count  // 3
///
/// Diffable data sources trap if two items are equal. A list may repeat an identifier, so its items
/// are numbered first. Use ``id`` to find the content of a cell.
public struct ListItem<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The identifier, as the list has it.
  public let id: ID

  /// The number of copies that precede this one.
  ///
  /// It is 0 in a list without repeated identifiers.
  public let copy: Int

  /// Creates an item.
  public init(id: ID, copy: Int = 0) {
    self.id = id
    self.copy = copy
  }

  /// Numbers the copies in a list, from the first to the last.
  ///
  /// No two of the items are equal if all sections of a list are numbered together.
  ///
  /// - Complexity: O(*n*), where *n* is the number of identifiers.
  public static func numbering(_ ids: some Collection<ID>) -> [ListItem] {
    var counts: [ID: Int] = [:]
    counts.reserveCapacity(ids.count)
    return ids.map { id in
      let copy = counts[id, default: 0]
      counts[id] = copy + 1
      return ListItem(id: id, copy: copy)
    }
  }
}

extension ListItem: CustomStringConvertible {
  /// The identifier, and the number of the copy unless it is the first, as in "tea (copy 1)".
  public var description: String { copy == 0 ? oneLine(id) : "\(oneLine(id)) (copy \(copy))" }
}

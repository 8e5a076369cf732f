extension ListDiff {
  /// An identifier that a list repeats, with its positions.
  public struct Duplicate: Hashable, Sendable, CustomStringConvertible {
    /// The identifier that occurs more than once.
    public let identifier: Element.DiffIdentifier

    /// Its positions in the list before, ascending.
    public let oldPositions: [Int]

    /// Its positions in the list after, ascending.
    public let newPositions: [Int]

    /// The identifier and its positions, such as "7 at [0, 2], then at [1]".
    public var description: String {
      "\(oneLine(identifier)) at \(oldPositions), then at \(newPositions)"
    }
  }

  /// The identifiers that occur more than once in the old or in the new list.
  ///
  ///     let diff = ListDiff(from: ["a", "b"], to: ["a", "a"])
  ///     diff.duplicates.first?.newPositions  // [0, 1]
  ///
  /// They are in the order of their first occurrence, in the old list, then in the new one.
  ///
  /// - Complexity: O(*n*), where *n* is the length of both lists. The value is computed on each
  ///   access, because the changes don't need it.
  public var duplicates: [Duplicate] { Self.duplicates(in: old, new) }

  static func duplicates(in old: [Element], _ new: [Element]) -> [Duplicate] {
    let repeated = repeatedIdentifiers(old).union(repeatedIdentifiers(new))
    guard !repeated.isEmpty else { return [] }
    let oldPlaces = places(of: repeated, in: old)
    let newPlaces = places(of: repeated, in: new)
    var order: [Element.DiffIdentifier] = []
    var seen: Set<Element.DiffIdentifier> = []
    for element in [old, new].joined() where repeated.contains(element.diffIdentifier) {
      if seen.insert(element.diffIdentifier).inserted { order.append(element.diffIdentifier) }
    }
    return order.map { identifier in
      Duplicate(
        identifier: identifier, oldPositions: oldPlaces[identifier] ?? [],
        newPositions: newPlaces[identifier] ?? [])
    }
  }

  private static func repeatedIdentifiers(_ list: [Element]) -> Set<Element.DiffIdentifier> {
    var seen: Set<Element.DiffIdentifier> = []
    seen.reserveCapacity(list.count)
    var repeated: Set<Element.DiffIdentifier> = []
    for element in list where !seen.insert(element.diffIdentifier).inserted {
      repeated.insert(element.diffIdentifier)
    }
    return repeated
  }

  private static func places(
    of repeated: Set<Element.DiffIdentifier>, in list: [Element]
  ) -> [Element.DiffIdentifier: [Int]] {
    var places: [Element.DiffIdentifier: [Int]] = [:]
    for (position, element) in list.enumerated() where repeated.contains(element.diffIdentifier) {
      places[element.diffIdentifier, default: []].append(position)
    }
    return places
  }
}

/// An index of the words of a table's texts, in memory.
///
/// It has an entry for each slot and each of the first eight bytes of its words. So it finds all
/// rows that may match a pattern, and a few that don't: words may begin alike, and a phrase needs
/// its order. The pattern decides about each row that is found.
struct WordIndex: Sendable {
  let columns: [Int]
  private(set) var tree = RankTree()
  /// The number of words of all texts.
  private(set) var wordCount = 0
  private let readers: Readers

  private struct Readers: @unchecked Sendable {
    // @unchecked: the closures capture constants only.
    let columns: [(UnsafeRawPointer) -> StoredValue]
  }

  init(_ entity: EntityDescription) {
    columns = entity.fullText
    readers = Readers(columns: columns.map { entity.access[$0].read })
  }

  // MARK: Reading

  /// Returns the ranks of the rows that may have a word of a phrase.
  private func ranks(of word: [UInt8], isPrefix: Bool) -> Range<Int> {
    let first = StoredValue.firstBytes(word)
    let start = tree.partitioningIndex { $0.prefix >= first }
    guard isPrefix, word.count < 8 else {
      return start..<tree.partitioningIndex { $0.prefix > first }
    }
    let last = first | (UInt64.max >> UInt64(8 * word.count))
    return start..<tree.partitioningIndex { $0.prefix > last }
  }

  private func ranks(of phrase: SearchPhrase) -> [Range<Int>] {
    phrase.words.indices.map { index in
      ranks(
        of: phrase.words[index], isPrefix: phrase.isPrefix && index == phrase.words.count - 1)
    }
  }

  /// Returns an upper bound of the number of rows that match, or nil if all may match.
  func count(_ node: SearchPattern.Node) -> Int? {
    switch node {
    case .all: nil
    case .phrase(let phrase): ranks(of: phrase).map(\.count).min()
    case .and(let parts): parts.compactMap(count).min()
    case .or(let parts):
      parts.reduce(0) { sum, part in sum.flatMap { sum in count(part).map { sum + $0 } } }
    case .not(let part, _): count(part)
    }
  }

  /// Returns the slots that may match, in ascending order.
  ///
  /// - Complexity: O(*k* + *s* / 64), where *k* is the number of entries of the words that are
  ///   looked at, and *s* the number of slots.
  func slots(_ node: SearchPattern.Node) -> SlotSet {
    switch node {
    case .all: return SlotSet()
    case .phrase(let phrase): return intersection(ranks(of: phrase), \.count, slots)
    case .and(let parts):
      let counted = parts.compactMap { part in count(part).map { (part, $0) } }
      return intersection(counted, \.1) { slots($0.0) }
    case .or(let parts):
      var union = SlotSet()
      for part in parts { union.formUnion(slots(part)) }
      return union
    case .not(let part, _): return slots(part)
    }
  }

  private func slots(_ ranks: Range<Int>) -> SlotSet {
    var slots = SlotSet()
    tree.forEach(in: ranks) { slots.insert(Int($0.slot)) }
    return slots
  }

  /// Returns the slots that are in all parts.
  ///
  /// To look at a row of the smallest part costs as much as some dozens of entries. So much larger
  /// parts are left out.
  private func intersection<Part>(
    _ parts: [Part], _ count: (Part) -> Int, _ slots: (Part) -> SlotSet
  ) -> SlotSet {
    let sorted = parts.sorted { count($0) < count($1) }
    guard let first = sorted.first else { return SlotSet() }
    var result = slots(first)
    for part in sorted.dropFirst() where count(part) / 32 <= count(first) {
      result.formIntersection(slots(part))
    }
    return result
  }

  // MARK: Changing

  /// Returns the beginnings of an object's words, and the number of its words.
  private func prefixes(_ object: UnsafeRawPointer) -> (Set<UInt64>, count: Int) {
    var prefixes: Set<UInt64> = []
    var count = 0
    for read in readers.columns {
      guard case .text(let text) = read(object) else { continue }
      let words = FoldedWords(text)
      for index in 0..<words.count { prefixes.insert(StoredValue.firstBytes(words[index])) }
      count += words.count
    }
    return (prefixes, count)
  }

  /// Removes the row in a slot, while `rows` still has the version that is in the index.
  mutating func remove(_ slot: Int, _ rows: RowTable) {
    guard let object = rows.object(slot) else { return }
    let (prefixes, count) = prefixes(object)
    wordCount -= count
    for prefix in prefixes {
      tree.remove(RankEntry(prefix: prefix, slot: UInt32(slot))) { $0 >= slot }
    }
  }

  mutating func insert(_ slot: Int, _ rows: RowTable) {
    guard let object = rows.object(slot) else { return }
    let (prefixes, count) = prefixes(object)
    wordCount += count
    for prefix in prefixes {
      tree.insert(RankEntry(prefix: prefix, slot: UInt32(slot))) { $0 >= slot }
    }
  }

  /// Builds the index of all rows again.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of words.
  mutating func rebuild(_ rows: RowTable) {
    var entries: ContiguousArray<RankEntry> = []
    wordCount = 0
    rows.forEach { slot, _, object in
      let (prefixes, count) = prefixes(object)
      wordCount += count
      for prefix in prefixes {
        entries.append(RankEntry(prefix: prefix, slot: UInt32(slot)))
      }
    }
    entries.sort { $0.prefix != $1.prefix ? $0.prefix < $1.prefix : $0.slot < $1.slot }
    tree = RankTree(sorted: entries)
  }
}

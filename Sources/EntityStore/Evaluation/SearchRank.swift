internal import CText
internal import Locking

/// The relevance of objects to a search, by the formula BM25.
///
/// It is FTS5's, with its constants: S. Robertson and H. Zaragoza, "The Probabilistic Relevance
/// Framework: BM25 and Beyond", 2009. A word counts more if few objects have it, if an object has
/// it often, and if the object's texts are short.
///
/// It depends on all objects of the entity. Their statistics are read once, for the first object.
final class SearchRank: Sendable {
  /// The weight of a phrase, by the number of objects that have it.
  private struct Statistics: Sendable {
    var weights: [Double] = []
    /// The average number of words of an object.
    var length = 1.0
  }

  private let path: SearchPath
  private let phrases: [SearchPhrase]
  private let statistics = Locked<Statistics?>(nil)

  private static let saturation = 1.2
  private static let influenceOfLength = 0.75

  init(_ path: SearchPath, _ pattern: SearchPattern) {
    self.path = path
    phrases = pattern.node.phrases
  }

  func score(of row: EntityRow, reading reader: any StorageReader) throws -> Double {
    let statistics = try known(reader)
    let entity = row.entity
    var length = 0
    var found = [Double](repeating: 0, count: phrases.count)
    for column in entity.fullText {
      guard case .text(let text) = row.value(at: column) else { continue }
      let words = FoldedWords(text)
      length += words.count
      guard path.columns.contains(column) else { continue }
      for (index, phrase) in phrases.enumerated() {
        found[index] += Double((0..<words.count).count { phrase.starts(at: $0, of: words) })
      }
    }
    let relative = Double(length) / statistics.length
    let damping =
      Self.saturation * (1 - Self.influenceOfLength + Self.influenceOfLength * relative)
    var score = 0.0
    for (count, weight) in zip(found, statistics.weights) {
      score += weight * count * (Self.saturation + 1) / (count + damping)
    }
    return score
  }

  private func known(_ reader: any StorageReader) throws -> Statistics {
    if let statistics = statistics.withLock({ $0 }) { return statistics }
    let entity = path.target
    let total = Double(try reader.count(entity, where: nil))
    var statistics = Statistics()
    for phrase in phrases {
      let pattern = SearchPattern(node: .phrase(phrase))
      let count = Double(try reader.count(entity, where: .matches(path, pattern)))
      statistics.weights.append(max(1e-6, sb_natural_log((total - count + 0.5) / (count + 0.5))))
    }
    let words = try reader.wordCount(of: entity) ?? counted(entity, reader)
    statistics.length = max(1, Double(words)) / max(1, total)
    self.statistics.withLock { $0 = statistics }
    return statistics
  }

  /// Returns the number of words of all objects' texts.
  private func counted(_ entity: EntityDescription, _ reader: any StorageReader) throws -> Int {
    try reader.rows(FetchPlan(of: entity)).reduce(0) { count, row in
      entity.fullText.reduce(count) { count, column in
        guard case .text(let text) = row.value(at: column) else { return count }
        return count + FoldedWords(text).count
      }
    }
  }
}

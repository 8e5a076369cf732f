extension SearchPattern {
  /// Returns the places of a text at which words and phrases of the pattern occur, in order.
  ///
  ///     let title = "Gardens of tea"
  ///     for range in pattern.highlights(in: title) { … }  // "Gardens", "tea" for "tea gard*"
  ///
  /// Places that overlap are joined. Words after `NOT` aren't shown. The text need not match the
  /// whole pattern.
  ///
  /// - Complexity: O(*n* · *p*), where *n* is the length of the text and *p* the number of phrases.
  public func highlights(in text: String) -> [Range<String.Index>] {
    let words = FoldedWords(text)
    return highlights(in: words).map { span in
      let (start, end) = (words.places[span.lowerBound], words.places[span.upperBound - 1])
      let utf8 = text.utf8
      return utf8.index(
        utf8.startIndex, offsetBy: start.lowerBound)..<utf8.index(
          utf8.startIndex, offsetBy: end.upperBound)
    }
  }

  /// Returns the part of a text with the most different words of the pattern, for a list of
  /// results.
  ///
  ///     pattern.snippet(of: note.text)  // "…in the gardens of tea, where…"
  ///
  /// The first of several such parts is taken. An ellipsis stands where the text goes on.
  ///
  /// - Parameters:
  ///   - text: the text.
  ///   - count: the greatest number of words in the snippet, at least 1.
  /// - Returns: the snippet; the beginning of the text if no word occurs.
  /// - Complexity: O(*n* · *p*), where *n* is the length of the text and *p* the number of phrases.
  public func snippet(of text: String, words count: Int = 16) -> String {
    let count = max(1, count)
    let words = FoldedWords(text)
    guard words.count > count else { return text }
    let start = firstWord(ofSnippetFrom: words, count)
    let utf8 = text.utf8
    func index(_ offset: Int) -> String.Index { utf8.index(utf8.startIndex, offsetBy: offset) }
    let end = start + count
    let from = start == 0 ? text.startIndex : index(words.places[start].lowerBound)
    let to = end == words.count ? text.endIndex : index(words.places[end - 1].upperBound)
    return (start == 0 ? "" : "…") + text[from..<to] + (end == words.count ? "" : "…")
  }

  private func firstWord(ofSnippetFrom words: FoldedWords, _ count: Int) -> Int {
    let phrases = Set(node.phrases)
    // A few words before the first hit show what it is about.
    let lead = count / 8
    var hits: [(phrase: SearchPhrase, place: Int)] = []
    for place in 0..<words.count {
      for phrase in phrases where phrase.starts(at: place, of: words) {
        hits.append((phrase, place))
      }
    }
    var best = (start: 0, found: 0)
    for (index, hit) in hits.enumerated() where hit.place != best.start || best.found == 0 {
      // A window that begins at a hit has as many as any other.
      let found = Set(
        hits[index...].prefix { $0.place + $0.phrase.words.count <= hit.place + count - lead }
          .map(\.phrase)
      ).count
      if found > best.found { best = (hit.place, found) }
    }
    if best.found == 0 { return 0 }
    return min(max(0, best.start - lead), words.count - count)
  }

  /// Returns the ranges of words at which phrases occur, joined and in order.
  private func highlights(in words: FoldedWords) -> [Range<Int>] {
    let phrases = Set(node.phrases)
    var spans: [Range<Int>] = []
    for place in 0..<words.count {
      guard
        let length = phrases.lazy.filter({ $0.starts(at: place, of: words) })
          .map(\.words.count).max()
      else { continue }
      if let last = spans.last, place < last.upperBound {
        spans[spans.count - 1] = last.lowerBound..<max(last.upperBound, place + length)
      } else {
        spans.append(place..<(place + length))
      }
    }
    return spans
  }
}

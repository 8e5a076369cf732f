extension SearchPattern {
  /// Returns the places of a text at which words and phrases of the pattern occur, in order.
  ///
  ///     let title = "Gardens of tea"
  ///     for range in pattern.highlights(in: title) { … }  // "Gardens", "tea" for "tea gard*"
  ///
  /// Places that overlap are joined. Words after `NOT` aren't shown. The text need not match the
  /// whole pattern.
  ///
  /// - Complexity: O(*n* · *p*), where *n* is the length of the text and *p* the number of words
  ///   of the pattern.
  public func highlights(in text: String) -> [Range<String.Index>] {
    let words = FoldedWords(text)
    let utf8 = text.utf8
    // Each place is found from the one before it: an offset of a bridged text costs its length.
    var (offset, place) = (0, utf8.startIndex)
    func index(_ next: Int) -> String.Index {
      place = utf8.index(place, offsetBy: next - offset)
      offset = next
      return place
    }
    return highlights(in: words).map { span in
      let start = index(words.places[span.lowerBound].lowerBound)
      return start..<index(words.places[span.upperBound - 1].upperBound)
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
  /// - Complexity: O(*n* · *p*), where *n* is the length of the text and *p* the number of words
  ///   of the pattern.
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
    // A few words before the first hit show its context, if there is room.
    let lead = count / 8
    let phrases = Array(Set(node.phrases))
    var hits: [(phrase: Int, place: Int, end: Int)] = []
    for place in 0..<words.count {
      for (number, phrase) in phrases.enumerated() where phrase.starts(at: place, of: words) {
        // Of a phrase that is longer than the snippet, the beginning is enough.
        hits.append((number, place, place + min(phrase.words.count, count)))
      }
    }
    // A window that begins at a hit has as many as any other. It moves from hit to hit, and has the
    // phrases that end in it.
    let byEnd = hits.sorted { $0.end < $1.end }
    var numbers = [Int](repeating: 0, count: phrases.count)
    var (found, next, end) = (0, 0, 0)
    var best = (start: 0, end: 0, found: 0)
    for hit in hits {
      while next < byEnd.count, byEnd[next].end <= hit.place + count {
        // A phrase that is there already is no reason to take words away before the first hit.
        if numbers[byEnd[next].phrase] == 0 { (found, end) = (found + 1, byEnd[next].end) }
        numbers[byEnd[next].phrase] += 1
        next += 1
      }
      if found > best.found { best = (hit.place, end, found) }
      numbers[hit.phrase] -= 1
      if numbers[hit.phrase] == 0 { found -= 1 }
    }
    if best.found == 0 { return 0 }
    // The words before the first hit must not push out the last one.
    let start = best.start - min(lead, best.start + count - best.end)
    return min(max(0, start), words.count - count)
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

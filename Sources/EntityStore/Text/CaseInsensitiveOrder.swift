/// The order of texts that takes upper and lower case as one.
///
///     ["b", "C", "a"].sorted { CaseInsensitiveOrder.compare($0, $1) < 0 }  // ["a", "b", "C"]
///
/// Texts go by the bytes of `TextFolding.case`. Where those are equal they go by their own bytes.
/// So the order is strict and total, and "A" is right before "a".
package enum CaseInsensitiveOrder {
  /// A number below 0 if `a` comes first, above 0 if `b` does, and 0 if their bytes are equal.
  ///
  /// - Complexity: O(*n*), where *n* is the length of what the texts share, case aside. Nothing is
  ///   allocated for text in UTF-8.
  package static func compare(_ a: String, _ b: String) -> Int {
    let result = withUTF8(of: a, b) { a, b in
      let start = SharedStart.count(a, b)
      var a = CaseFoldedScalars(a, from: start)
      var b = CaseFoldedScalars(b, from: start)
      while true {
        let (x, y) = (a.next(), b.next())
        // -1 is the end of both.
        guard x == y, x >= 0 else { return x - y }
      }
    }
    return result != 0 ? result : TextBytes.compare(a, b)
  }
}

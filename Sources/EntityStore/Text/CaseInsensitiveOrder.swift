/// An order of texts that treats upper and lower case as the same.
///
///     ["b", "C", "a"].sorted { CaseInsensitiveOrder.compare($0, $1) < 0 }  // ["a", "b", "C"]
///
/// Texts are compared by the bytes of `TextFolding.case`. If those are equal, their own bytes
/// decide. So the order is strict and total, and "A" comes directly before "a".
package enum CaseInsensitiveOrder {
  /// Returns a number below 0 if `a` comes first, above 0 if `b` does, and 0 if their bytes are
  /// equal.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the common beginning of the texts, ignoring
  ///   case. Nothing is allocated for text in UTF-8.
  package static func compare(_ a: String, _ b: String) -> Int {
    let result = withUTF8(of: a, b) { a, b in
      let start = SharedStart.count(a, b)
      var a = CaseFoldedScalars(a, from: start)
      var b = CaseFoldedScalars(b, from: start)
      while true {
        let (x, y) = (a.next(), b.next())
        // If both are -1, both texts have ended.
        guard x == y, x >= 0 else { return x - y }
      }
    }
    return result != 0 ? result : TextBytes.compare(a, b)
  }
}

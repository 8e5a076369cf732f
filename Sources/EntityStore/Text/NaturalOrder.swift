/// The order of texts that people expect in a list of files: "2" before "10", "a" beside "A".
///
///     ["v1.10", "V1.9"].sorted { NaturalOrder.compare($0, $1) < 0 }  // ["V1.9", "v1.10"]
///
/// A text is compared as a list of numbers and other scalars. A number is a run of ASCII digits of
/// any length, and is compared by its value. Other scalars are compared one by one with their case
/// folded, as `TextFolding.case` does it. A number and another scalar are compared as a digit and
/// that scalar. A list that is the beginning of another comes before it.
///
/// If two lists are equal, as those of "a01" and "A1", the bytes of the texts decide. So the order
/// is strict and total. Without numbers it only treats upper and lower case as the same.
package enum NaturalOrder {
  /// Returns a number below 0 if `a` comes first, above 0 if `b` does, and 0 if their bytes are
  /// equal.
  ///
  /// Unless `byNumber` is true, a digit is compared as any other scalar.
  ///
  /// - Complexity: O(*n*), where *n* is the length of the common beginning of the texts, ignoring
  ///   case and leading zeros. Nothing is allocated for text in UTF-8.
  package static func compare(_ a: String, _ b: String, byNumber: Bool = true) -> Int {
    let result = withUTF8(of: a, b) { a, b in
      var start = SharedStart.count(a, b)
      // Two different numbers may begin with the same digits.
      while byNumber, start > 0, isDigit(Int(a[start - 1])) { start -= 1 }
      var a = CaseFoldedScalars(a, from: start)
      var b = CaseFoldedScalars(b, from: start)
      while true {
        let (x, y) = (a.next(), b.next())
        if byNumber, isDigit(x), isDigit(y) {
          // Everything before was equal, so both runs of digits begin here.
          let result = compareNumbers(x, &a, y, &b)
          guard result == 0 else { return result }
        } else if x != y || x < 0 {
          // If both are -1, both texts have ended.
          return x - y
        }
      }
    }
    return result != 0 ? result : TextBytes.compare(a, b)
  }

  /// Compares two runs of digits by their value, and reads both to their end unless they differ.
  @inline(__always)
  private static func compareNumbers(
    _ x: Int, _ a: inout CaseFoldedScalars, _ y: Int, _ b: inout CaseFoldedScalars
  ) -> Int {
    var (x, y) = (x, y)
    while x == zero { x = a.nextDigit() }
    while y == zero { y = b.nextDigit() }
    // The longer number is greater. If both have the same length, the first difference decides.
    var difference = 0
    while x >= 0, y >= 0 {
      if difference == 0 { difference = x - y }
      (x, y) = (a.nextDigit(), b.nextDigit())
    }
    return x == y ? difference : x - y
  }

  private static let zero = Int(UInt8(ascii: "0"))

  @inline(__always)
  private static func isDigit(_ scalar: Int) -> Bool { scalar >= zero && scalar < zero + 10 }
}

/// A table of the scalars that remain of each scalar when its combining marks are removed.
///
///     BaseTable.shared.bases(of: "é")  // "e"
///     BaseTable.shared.bases(of: "\u{301}")  // nothing
struct BaseTable: Sendable {
  /// The table of `TextFolding.baseTableText`, which is read at first use.
  static let shared = BaseTable(TextFolding.baseTableText)

  /// The scalars that aren't their own base, ascending.
  private var scalars: [UInt32] = []
  private var bases: [ScalarTriple] = []

  init(_ text: String) {
    func number(_ digits: Substring) -> UInt32 {
      guard let number = UInt32(digits, radix: 16) else {
        preconditionFailure("The table of bases has a word that isn't one: \(digits)")
      }
      return number
    }

    var scalar: UInt32 = 0
    func add(_ numbers: [UInt32]) {
      scalars.append(scalar)
      bases.append(ScalarTriple(numbers.compactMap(Unicode.Scalar.init)))
      scalar += 1
    }

    for word in text.split(separator: " ") {
      switch word.first {
      case "@": scalar = number(word.dropFirst())
      case "*": for _ in 0..<number(word.dropFirst()) { add([]) }
      default: add(word.split(separator: "+").map(number))
      }
    }
  }

  /// Returns the bases of a scalar.
  ///
  /// Most scalars are their own base. A mark has none, and some vowel signs have two or three.
  ///
  /// - Complexity: O(log *n*), where *n* is the size of the table; O(1) for most of Latin-1.
  func bases(of scalar: Unicode.Scalar) -> ScalarTriple {
    guard scalar.value >= 0xC0 else { return ScalarTriple([scalar]) }
    var start = 0
    var end = scalars.count
    while start < end {
      let middle = (start + end) / 2
      if scalars[middle] < scalar.value { start = middle + 1 } else { end = middle }
    }
    guard start < scalars.count, scalars[start] == scalar.value else {
      return ScalarTriple([scalar])
    }
    return bases[start]
  }
}

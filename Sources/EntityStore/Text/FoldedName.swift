/// The name of a table or a column, with ASCII letters folded and no others, as SQLite compares it.
package struct FoldedName: Hashable, Sendable {
  private let bytes: [UInt8]

  /// The name in lower case.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(_ name: String) { bytes = Array(Self.folded(name).utf8) }

  /// Returns a text that is equal for two names that are considered equal.
  package static func folded(_ name: String) -> String {
    String(
      String.UnicodeScalarView(
        name.unicodeScalars.map { scalar in
          guard ("A"..."Z").contains(scalar) else { return scalar }
          return Unicode.Scalar(UInt8(scalar.value) | 0x20)
        }))
  }
}

extension [String] {
  /// Returns the position of the first name that is considered equal to one.
  func firstIndex(folding name: String) -> Int? {
    let folded = FoldedName(name)
    return firstIndex { FoldedName($0) == folded }
  }
}

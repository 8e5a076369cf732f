extension String {
  /// Creates the text of UTF-16 code units, or nil if they contain half of a surrogate pair.
  init?(wholeUTF16 units: [UInt16]) {
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { return nil }
    self = text
  }
}

extension String {
  /// The text of UTF-16, or nil if it has half a pair.
  init?(wholeUTF16 units: [UInt16]) {
    let text = String(decoding: units, as: UTF16.self)
    guard text.utf16.elementsEqual(units) else { return nil }
    self = text
  }
}
